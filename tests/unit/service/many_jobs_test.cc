// Checks that requests that are served together have the responses that each would have alone.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "odata/batch/batch.h"
#include "service/table_service.h"

namespace aztables {
namespace {

class ManyJobsTest : public testing::Test {
 protected:
  ManyJobsTest() {
    service_ = std::move(*TableService::Open({.store = ":memory:", .create = true}));
    Request create = Post("/Tables", R"({"TableName":"Tab"})");
    create.headers.Add("Content-Type", "application/json");
    EXPECT_EQ(service_->Handle(create, Peer(), Cancel()).status, 201);
  }

  static Request Post(const std::string& path, std::string body) {
    Request request{.method = "POST", .origin = "http://h", .path = path};
    request.body = std::move(body);
    return request;
  }
  // An EGT of 100 inserts of about 1 KB into a partition.
  static Request Insert(const std::string& partition) {
    std::vector<BatchOperation> operations;
    for (int row = 0; row < 100; ++row) {
      operations.push_back({"POST", "http://h/Tab", "",
                            R"({"PartitionKey":")" + partition + R"(","RowKey":")" +
                                std::to_string(row) + R"(","Text":")" + std::string(900, 'x') +
                                "\"}"});
    }
    const EncodedBatch batch = EncodeBatch(operations, "b", "c");
    Request request = Post("/$batch", batch.body);
    request.headers.Add("Content-Type", batch.content_type);
    return request;
  }
  // The status of each response, and the number of successful operations: "202:100".
  std::vector<std::string> Serve(const std::vector<Request>& requests) {
    std::vector<TableService::Job> jobs(requests.size());
    std::vector<TableService::Job*> all;
    for (size_t i = 0; i < jobs.size(); ++i) {
      jobs[i].request = &requests[i];
      all.push_back(&jobs[i]);
    }
    EXPECT_TRUE(service_->HandleAll(all, Peer(), Cancel()).ok());
    std::vector<std::string> texts;
    for (const TableService::Job& job : jobs) {
      const auto parts = DecodeBatch(job.response->headers.Get("Content-Type"), job.response->body);
      size_t good = 0;
      for (size_t i = 0; parts.ok() && i < parts->size(); ++i) good += (*parts)[i].status == 204;
      texts.push_back(std::to_string(job.response->status) + ":" + std::to_string(good));
    }
    return texts;
  }

  std::unique_ptr<TableService> service_;
};

TEST_F(ManyJobsTest, EachHasItsOwnResponse) {
  for (int round = 0; round < 20; ++round) {
    std::vector<Request> requests;
    std::vector<std::string> expected;
    for (int i = 0; i < 9; ++i) {
      requests.push_back(Insert(std::to_string(round) + "-" + std::to_string(i)));
      expected.emplace_back("202:100");
    }
    requests[2] = requests[1];  // its entities exist by then
    expected[2] = "202:0";
    requests[5].body.resize(requests[5].body.size() / 2);
    expected[5] = "400:0";
    requests[7].path = "/Nothing";
    expected[7] = "400:0";
    ASSERT_EQ(Serve(requests), expected);
  }
}

TEST_F(ManyJobsTest, OfOneJobAndOfNone) {
  EXPECT_EQ(Serve({}), std::vector<std::string>());
  EXPECT_EQ(Serve({Insert("p")}), std::vector<std::string>({"202:100"}));
}

}  // namespace
}  // namespace aztables
