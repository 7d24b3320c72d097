// Checks two connections to one service. Each sees the other's writes at once. If both change the
// same entity, only the first succeeds.
#include <string>

#include "raw_test_base.h"

namespace aztables {
namespace {

class ConnectionsTest : public RawTest {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(RawTest::SetUp());
    auto settings = ParseConnectionString(connection_string_);
    ASSERT_TRUE(settings.ok());
    other_ = std::make_unique<Wire>(std::move(*settings));
  }
  ParsedResponse OtherInserts(const std::string& row) const {
    return SendOn(*other_, {.method = "POST", .path = table_, .body = Body(row)});
  }
  std::string OtherLists() const { return RowKeys(SendOn(*other_, {.path = table_ + "()"})); }

  std::unique_ptr<Wire> other_;
};

TEST_F(ConnectionsTest, EachSeesWhatTheOtherWrote) {
  for (int i = 0; i < 10; ++i) {
    const std::string row(1, static_cast<char>('a' + i));
    EXPECT_EQ((i % 2 == 0 ? Insert(row) : OtherInserts(row)).status, 201);
  }
  EXPECT_EQ(Rows(""), "a b c d e f g h i j");
  EXPECT_EQ(OtherLists(), "a b c d e f g h i j");
  EXPECT_EQ(Change("DELETE", "a", "", "*").status, 204);
  EXPECT_EQ(OtherLists(), "b c d e f g h i j");
}

TEST_F(ConnectionsTest, TheFirstOfTwoChangesHolds) {
  const std::string etag = Insert("r", R"("A":0)").etag();
  const Ask change{.method = "MERGE",
                   .path = Address("p", "r"),
                   .body = R"({"A":1})",
                   .headers = {{"If-Match", etag}}};
  EXPECT_EQ(SendOn(*other_, change).outcome(), "204");
  EXPECT_EQ(Change("MERGE", "r", R"({"A":2})", etag).outcome(), "412 UpdateConditionNotSatisfied");
  EXPECT_EQ(OtherInserts("r").outcome(), "409 EntityAlreadyExists");
  EXPECT_EQ(Get("r").At("/A"), "1");
}

TEST_F(ConnectionsTest, TablesComeAndGo) {
  EXPECT_EQ(OtherLists(), "");
  ASSERT_TRUE(client().DeleteTable(table_, options_, cancel_).ok());
  EXPECT_EQ(OtherInserts("a").outcome(), "404 TableNotFound");
  // A new name: the live service locks a deleted table's name for a while (TableBeingDeleted).
  table_ = FreshName();
  const auto created = other_->client().CreateTable(table_, options_, cancel_);
  ASSERT_TRUE(created.ok()) << created.status().message();
  EXPECT_EQ(Insert("a").status, 201);
  EXPECT_EQ(OtherLists(), "a");
}

TEST_F(ConnectionsTest, PagesGoOnWhileTheOtherWrites) {
  for (const char* row : {"a", "b", "c"}) Insert(row);
  const ParsedResponse first = List("$top=1");
  EXPECT_EQ(OtherInserts("aa").status, 201);
  EXPECT_EQ(OtherInserts("d").status, 201);
  const auto next = [&](const std::string& key) {
    return "&Next" + key + "=" + PercentEncode(first.headers.Get("x-ms-continuation-Next" + key));
  };
  EXPECT_EQ(RowKeys(List("$top=9" + next("PartitionKey") + next("RowKey"))), "b c d");
}

}  // namespace
}  // namespace aztables
