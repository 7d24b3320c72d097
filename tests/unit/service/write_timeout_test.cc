// Checks the option timeout of a URL: a write that has not begun in time is refused and changes
// nothing.
#include <gtest/gtest.h>

#include <string>

#include "base/clock.h"
#include "service/table_service.h"

namespace aztables {
namespace {

// Time passes at each reading.
class SlowClock final : public Clock {
 public:
  int64_t NowMs() const override { return now_ms_ += step_ms; }
  int64_t step_ms = 0;

 private:
  mutable int64_t now_ms_ = 1'700'000'000'000;
};

class WriteTimeoutTest : public testing::Test {
 protected:
  void SetUp() override {
    auto service = TableService::Open({.store = ":memory:", .create = true, .clock = &clock_});
    ASSERT_TRUE(service.ok());
    service_ = std::move(*service);
    ASSERT_EQ(Send("POST", "/Tables", "", R"({"TableName":"Tab"})").status, 201);
  }
  Response Send(const std::string& method, const std::string& path, const std::string& query,
                const std::string& body = "") {
    Request request{.method = method, .origin = "http://h", .path = path, .query = query};
    request.headers.Add("Content-Type", "application/json");
    request.body = body;
    return service_->Handle(request, Peer(), Cancel());
  }
  Response Insert(const std::string& query) {
    return Send("POST", "/Tab", query, R"({"PartitionKey":"p","RowKey":"r"})");
  }
  int Point() { return Send("GET", "/Tab(PartitionKey='p',RowKey='r')", "timeout=1").status; }

  SlowClock clock_;
  std::unique_ptr<TableService> service_;
};

TEST_F(WriteTimeoutTest, AWriteThatIsLateChangesNothing) {
  clock_.step_ms = 2000;
  const Response late = Insert("timeout=1");
  EXPECT_EQ(late.status, 500);
  EXPECT_NE(late.body.find("OperationTimedOut"), std::string::npos) << late.body;
  EXPECT_EQ(Point(), 404) << "a read has no such limit";
  EXPECT_EQ(Insert("timeout=30").status, 201);
  EXPECT_EQ(Point(), 200);
}

TEST_F(WriteTimeoutTest, WithoutTheOptionThereIsNoLimit) {
  clock_.step_ms = 60'000;
  EXPECT_EQ(Insert("").status, 201);
}

TEST_F(WriteTimeoutTest, ThirtySecondsAreTheMost) {
  clock_.step_ms = 40'000;
  EXPECT_EQ(Insert("timeout=90").status, 500);
}

TEST_F(WriteTimeoutTest, OtherValuesAreRefused) {
  for (const char* query : {"timeout=", "timeout=soon", "timeout=-1", "timeout=1.5"}) {
    const Response response = Insert(query);
    EXPECT_EQ(response.status, 400) << query;
    EXPECT_NE(response.body.find("InvalidQueryParameterValue"), std::string::npos) << query;
  }
}

}  // namespace
}  // namespace aztables
