// Checks entity group transactions against a real table service: a hundred operations, several EGTs
// of a partition, atomic failures that name the operation, missing tables.
#include <set>
#include <string>
#include <vector>

#include "contract_test_base.h"
#include "differences.h"

namespace aztables {
namespace {

using support::OwnedInsert;

class EgtTest : public ContractTest {
 protected:
  static void Insert(WriteLog& log, const std::string& partition_key, int count) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(support::Insert(log, 1, {partition_key, std::to_string(i), {}}).ok());
    }
  }
  // Sends one EGT unchanged.
  Status Send(const std::vector<OwnedInsert>& inserts) { return Send(support::ViewsOf(inserts)); }
  Status Send(const std::vector<EntityOperation>& operations) {
    const auto exchange = client().StartEgt(table_, operations, options_);
    Exchange* const waiting = exchange.get();
    AZTABLES_RETURN_IF_ERROR(wire_->pipeline().WaitAny({&waiting, 1}, cancel_));
    return client().FinishEgt(table_, operations, *exchange).status;
  }
};

TEST_F(EgtTest, AHundredInOneRequest) {
  WriteLog log;
  Insert(log, "p", 100);
  const size_t before = requests();
  const Status status = Commit(log);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(requests() - before, 1U);
  EXPECT_EQ(wire_->log().At(wire_->log().size() - 1).entities, 100);
  EXPECT_EQ(Read(Query()).size(), 100U);
}

TEST_F(EgtTest, SeveralOfOnePartition) {
  WriteLog log;
  Insert(log, "p", 150);
  const size_t before = requests();
  const Status status = Commit(log);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(requests() - before, 2U);
  EXPECT_EQ(Read(Query()).size(), 150U);
}

TEST_F(EgtTest, ManyPartitions) {
  WriteLog log;
  for (int partition = 0; partition < 50; ++partition) {
    Insert(log, "p" + std::to_string(partition), 3);
  }
  const Status status = Commit(log);
  ASSERT_TRUE(status.ok()) << status.message();
  const KeyPairs keys = Read(Query());
  EXPECT_EQ(keys.size(), 150U);
  EXPECT_EQ(std::set(keys.begin(), keys.end()).size(), 150U);
}

TEST_F(EgtTest, AnEntityThatExists) {
  Write({{"p", "3", {}}, {"q", "0", {}}});
  WriteLog log;
  Insert(log, "p", 5);
  const Status status = Commit(log);
  EXPECT_EQ(status.code(), Code::kAlreadyExists);
  EXPECT_EQ(status.failure().operation_index, 3);
  EXPECT_EQ(status.failure().code, "EntityAlreadyExists");
  EXPECT_EQ(status.failure().http_status, 409);
  EXPECT_FALSE(status.failure().request_id.empty());
  EXPECT_NE(status.message().find("the entity PartitionKey='p', RowKey='3' already exists"),
            std::string_view::npos)
      << status.message();
  EXPECT_EQ(Read(Query()), (KeyPairs{{"p", "3"}, {"q", "0"}})) << "the EGT is atomic";
}

TEST_F(EgtTest, TheOnlyOperationFails) {
  Write({{"p", "0", {}}});
  WriteLog log;
  Insert(log, "p", 1);
  const Status status = Commit(log);
  EXPECT_EQ(status.code(), Code::kAlreadyExists);
  EXPECT_EQ(status.failure().operation_index, 0) << "also where the service names no index";
  EXPECT_NE(status.message().find("RowKey='0'"), std::string_view::npos) << status.message();
}

TEST_F(EgtTest, TheSameEntityTwice) {
  const Status status = Send(
      {OwnedInsert{"p", "0"}, OwnedInsert{"p", "1"}, OwnedInsert{"p", "0"}, OwnedInsert{"p", "2"}});
  EXPECT_EQ(status.code(), Code::kError);
  EXPECT_EQ(status.failure().code, "InvalidDuplicateRow");
  EXPECT_EQ(status.failure().operation_index, 2);
  EXPECT_NE(status.message().find("RowKey='0'"), std::string_view::npos) << status.message();
  EXPECT_EQ(Read(Query()), KeyPairs{});
}

TEST_F(EgtTest, MoreThanAHundred) {
  std::vector<OwnedInsert> inserts;
  inserts.reserve(101);
  for (int i = 0; i < 101; ++i) inserts.push_back(OwnedInsert{"p", std::to_string(i)});
  const Status status = Send(inserts);
  // An unreadable response shows nothing, like a broken connection.
  const bool unreadable = Differs(Difference::kTooManyOperations);
  EXPECT_EQ(status.code(), unreadable ? Code::kBusy : Code::kError) << status.message();
  EXPECT_EQ(status.failure().code, unreadable ? "" : "InvalidInput");
  EXPECT_EQ(status.failure().operation_index, unreadable ? -1 : 99);
  EXPECT_EQ(Read(Query()), KeyPairs{});
}

TEST_F(EgtTest, MoreThanFourMebibytes) {
  std::vector<OwnedInsert> inserts;
  for (int i = 0; i < 80; ++i) {
    inserts.push_back(OwnedInsert{"p", std::to_string(i)});
    inserts.back().properties = R"({"A":")" + std::string(65'000, 'x') + "\"}";
  }
  const Status status = Send(inserts);
  EXPECT_EQ(status.code(), Code::kTooBig);
  EXPECT_EQ(status.failure().http_status, 413);
  EXPECT_FALSE(status.failure().may_have_reached);
  EXPECT_EQ(Read(Query()), KeyPairs{});
}

TEST_F(EgtTest, AMissingTable) {
  const std::string existing = std::exchange(table_, FreshName());
  WriteLog log;
  Insert(log, "p", 3);
  const Status status = Commit(log);
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_EQ(status.failure().code, "TableNotFound");
  EXPECT_NE(status.message().find("aztables_create_table('demo." + table_ + "')"),
            std::string_view::npos)
      << status.message();
  EXPECT_NE(status.message().find("; 0 of 1 EGTs applied: see aztables_commits"),
            std::string_view::npos);
  table_ = existing;
}

TEST_F(EgtTest, AMissingTableIsCreated) {
  const std::string existing = std::exchange(table_, FreshName());
  WriteLog log;
  for (int partition = 0; partition < 20; ++partition) {
    Insert(log, "p" + std::to_string(partition), 2);
  }
  TableWrites writes = Writes(log);
  writes.to.create_missing = true;
  const Status status = support::Commit({writes}, cancel_);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(Read(Query()).size(), 40U);
  EXPECT_TRUE(client().DeleteTable(table_, options_, cancel_).ok());
  table_ = existing;
}

TEST_F(EgtTest, OnePartitionFailsTheOthersAreTold) {
  Write({{"b", "0", {}}});
  WriteLog log;
  Insert(log, "a", 2);
  Insert(log, "b", 2);
  Insert(log, "c", 2);
  const Status status = Commit(log);
  EXPECT_EQ(status.code(), Code::kAlreadyExists);
  EXPECT_TRUE(status.message().ends_with("; 2 of 3 EGTs applied: see aztables_commits"))
      << status.message();
  EXPECT_EQ(Read(Query()).size(), 5U);
}

TEST_F(EgtTest, ValuesThatTheServiceRefuses) {
  OwnedInsert bad = OwnedInsert{"p", "1"};
  bad.properties = R"({"A":{"B":1}})";
  const Status status = Send({OwnedInsert{"p", "0"}, bad});
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.failure().http_status, 400);
  EXPECT_FALSE(status.failure().may_have_reached);
  EXPECT_EQ(Read(Query()), KeyPairs{});
}

}  // namespace
}  // namespace aztables
