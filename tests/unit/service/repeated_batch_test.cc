// Checks that an EGT with an id of ours is carried out at most once, however often it arrives, and
// for how long the service remembers it.
#include <gtest/gtest.h>

#include <string>

#include "odata/batch/batch.h"
#include "service/store/remembered_writes.h"
#include "service/table_service.h"
#include "unit/service/set_clock.h"
#include "unit/service/store_test_base.h"

namespace aztables {
namespace {

constexpr char kOurs[] = "aztables-11111111-2222-3333-4444-555555555555";
constexpr char kForeign[] = "11111111-2222-3333-4444-555555555555";

class RepeatedBatchTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = std::filesystem::temp_directory_path() / "repeated_test_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    Restart();
    Request create = Post("/Tables");
    create.body = R"({"TableName":"Tab"})";
    ASSERT_EQ(Serve(create).status, 201);
  }

  void TearDown() override {
    service_.reset();
    std::filesystem::remove_all(folder_);
  }
  void Restart() {
    service_.reset();
    auto service =
        TableService::Open({.store = folder_ / "store.db", .create = true, .clock = &clock_});
    ASSERT_TRUE(service.ok());
    service_ = std::move(*service);
  }

  static Request Post(const std::string& path) {
    Request request{.method = "POST", .origin = "http://h", .path = path};
    request.headers.Add("Content-Type", "application/json");
    return request;
  }
  Response Serve(const Request& request) { return service_->Handle(request, Peer(), Cancel()); }

  // Inserts the entities with these row keys, in one EGT.
  static Request Insert(const std::string& id, const std::vector<std::string>& rows,
                        const std::string& table = "Tab") {
    std::vector<BatchOperation> operations;
    for (const std::string& row : rows) {
      operations.push_back(
          {"POST", "http://h/" + table, "", R"({"PartitionKey":"p","RowKey":")" + row + "\"}"});
    }
    const EncodedBatch batch = EncodeBatch(operations, "b", "c");
    Request request = Post("/$batch");
    request.headers.Set("Content-Type", batch.content_type);
    request.headers.Set(kClientRequestIdHeader, id);
    request.body = batch.body;
    return request;
  }
  // The statuses and codes of the parts: "204 204", "409 EntityAlreadyExists".
  std::string Send(const Request& request) {
    const Response response = Serve(request);
    reach_ = response.headers.Get(kRemembersWritesHeader);
    if (response.status != 202) return std::to_string(response.status);
    const auto parts = DecodeBatch(response.headers.Get("Content-Type"), response.body);
    if (!parts.ok()) return std::string(parts.status().message());
    std::string text;
    for (const BatchPart& part : *parts) {
      text += (text.empty() ? "" : " ") + std::to_string(part.status);
      for (const char* code : {"EntityAlreadyExists", "TableNotFound"}) {
        if (part.body.find(code) != std::string::npos) text += std::string(" ") + code;
      }
    }
    return text;
  }
  // The body of the point read, with its Timestamp.
  std::string Read(const std::string& row) {
    const Response response = Serve({.method = "GET",
                                     .origin = "http://h",
                                     .path = "/Tab(PartitionKey='p',RowKey='" + row + "')"});
    return response.status == 200 ? response.body : std::to_string(response.status);
  }
  void Delete(const std::string& row) {
    Request request{.method = "DELETE",
                    .origin = "http://h",
                    .path = "/Tab(PartitionKey='p',RowKey='" + row + "')"};
    request.headers.Add("If-Match", "*");
    ASSERT_EQ(Serve(request).status, 204);
  }

  SetClock clock_;
  std::filesystem::path folder_;
  std::unique_ptr<TableService> service_;
  std::string reach_;
};

TEST_F(RepeatedBatchTest, IsCarriedOutOnce) {
  const Request insert = Insert(kOurs, {"1", "2"});
  EXPECT_EQ(Send(insert), "204 204");
  EXPECT_EQ(reach_, "600");
  const std::string before = Read("1");
  EXPECT_EQ(Send(insert), "204 204");
  EXPECT_EQ(Read("1"), before);
  Restart();
  EXPECT_EQ(Send(insert), "204 204");
  EXPECT_EQ(Read("1"), before);
  // A late arrival does not undo what happened since.
  Delete("1");
  EXPECT_EQ(Send(insert), "204 204");
  EXPECT_EQ(Read("1"), "404");
}

TEST_F(RepeatedBatchTest, ARefusalStaysARefusal) {
  EXPECT_EQ(Send(Insert("aztables-other", {"2"})), "204");
  const Request insert = Insert(kOurs, {"1", "2"});
  EXPECT_EQ(Send(insert), "409 EntityAlreadyExists");
  Delete("2");
  EXPECT_EQ(Send(insert), "409 EntityAlreadyExists") << "its sender has had the report";
  EXPECT_EQ(Read("1"), "404");
  EXPECT_EQ(Send(Insert("aztables-third", {"1", "2"})), "204 204");
}

TEST_F(RepeatedBatchTest, OnlyIdsThatNameOneWrite) {
  EXPECT_EQ(Send(Insert(kForeign, {"1"})), "204");
  EXPECT_EQ(reach_, "");
  EXPECT_EQ(Send(Insert(kForeign, {"1"})), "409 EntityAlreadyExists");
  EXPECT_EQ(Send(Insert(kOurs, {"2"})), "204");
  EXPECT_EQ(Send(Insert(kOurs, {"3"})), "204") << "another body is another write";
  EXPECT_EQ(Send(Insert(kOurs, {"x"}, "None")), "404 TableNotFound");
}

TEST_F(RepeatedBatchTest, IsForgottenAfterTenMinutes) {
  const Request insert = Insert(kOurs, {"1"});
  EXPECT_EQ(Send(insert), "204");
  clock_.now_ms += 601'000;
  for (int i = 0; i < 1000; ++i) {  // one of 256 sweeps
    EXPECT_EQ(Send(Insert("aztables-" + std::to_string(i), {"r" + std::to_string(i)})), "204");
  }
  EXPECT_EQ(Send(insert), "409 EntityAlreadyExists");
}

using RememberedWritesTest = StoreTest;

// The number of remembered outcomes is bounded. The reach then says how far they go back.
TEST_F(RememberedWritesTest, AreBounded) {
  Store store(path_, &Clock::System());
  CreateTable(store);
  int64_t now_ms = 1'700'000'000'000;
  StoreWrite write;
  write.run = [&](StoreTransaction& transaction) -> Status {
    RememberedWrites writes(transaction.connection, kAccount);
    for (int i = 0; i < 12'000; ++i) {
      now_ms += 10;
      AZTABLES_RETURN_IF_ERROR(writes.Add(std::to_string(i), "f", {.operations = 1}, now_ms));
    }
    const auto reach = writes.Reach(now_ms);
    EXPECT_TRUE(reach.ok());
    EXPECT_GE(*reach, 100);
    EXPECT_LE(*reach, 115);
    for (const auto& [id, known] : {std::pair("100", false), std::pair("11999", true)}) {
      const auto found = writes.Find(id, "f");
      EXPECT_TRUE(found.ok());
      EXPECT_EQ(found->has_value(), known) << id;
    }
    EXPECT_FALSE(writes.Find("11999", "g")->has_value());
    EXPECT_FALSE(RememberedWrites(transaction.connection, "other").Find("11999", "f")->has_value());
    return {};
  };
  EXPECT_TRUE(WriteOne(store, write).ok());
}

}  // namespace
}  // namespace aztables
