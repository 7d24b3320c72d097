// Checks the log of unsent inserts: what it refuses, that a refusal leaves no trace, the bound on
// its memory, and that dropping one owner's operations leaves the other's.
#include "aztables/write/write_log.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace aztables {
namespace {

constexpr int64_t kA = 1;
constexpr int64_t kB = 2;

Entity Keys(std::string partition_key, std::string row_key) {
  return {std::move(partition_key), std::move(row_key), {}};
}

using Texts = std::vector<std::string>;

Texts RowKeys(const WriteLog& log) {
  Texts keys;
  for (const WriteLog::Operation& operation : log.operations()) {
    keys.push_back(operation.insert.row_key);
  }
  return keys;
}

TEST(WriteLogTest, KeepsOrderOwnerAndBody) {
  WriteLog log;
  Entity entity = Keys("p", "1");
  entity.properties.push_back({"A", Value::Int64(5)});
  ASSERT_TRUE(log.Insert(kA, entity).ok());
  ASSERT_TRUE(log.Insert(kB, Keys("q", "2")).ok());
  ASSERT_EQ(log.operations().size(), 2U);
  const WriteLog::Operation& first = log.operations()[0];
  EXPECT_EQ(first.owner, kA);
  EXPECT_EQ(first.insert.partition_key, "p");
  EXPECT_EQ(first.insert.row_key, "1");
  EXPECT_EQ(first.insert.body,
            R"({"PartitionKey":"p","RowKey":"1","A@odata.type":"Edm.Int64","A":"5"})");
  EXPECT_EQ(log.operations()[1].owner, kB);
  EXPECT_LT(first.sequence, log.operations()[1].sequence);
  EXPECT_LT(log.operations()[1].sequence, log.next_sequence());
}

TEST(WriteLogTest, AnEntityIsInsertedOnce) {
  WriteLog log;
  ASSERT_TRUE(log.Insert(kA, Keys("p", "1")).ok());
  const int64_t next = log.next_sequence();
  for (const int64_t owner : {kA, kB}) {
    const Status status = log.Insert(owner, Keys("p", "1"));
    EXPECT_EQ(status.code(), Code::kAlreadyExists);
    EXPECT_NE(status.message().find("PartitionKey='p', RowKey='1'"), std::string_view::npos)
        << status.message();
    EXPECT_NE(status.message().find("in this transaction"), std::string_view::npos);
  }
  EXPECT_EQ(RowKeys(log), Texts{"1"});
  EXPECT_EQ(log.next_sequence(), next);
}

TEST(WriteLogTest, KeysAreComparedAsPairs) {
  WriteLog log;
  for (const auto& [partition_key, row_key] :
       std::vector<std::pair<std::string, std::string>>{{"ab", "c"},
                                                        {"a", "bc"},
                                                        {"", "abc"},
                                                        {"abc", ""},
                                                        {"", ""},
                                                        {"P", "r"},
                                                        {"p", "r"},
                                                        {"p", "R"}}) {
    EXPECT_TRUE(log.Insert(kA, Keys(partition_key, row_key)).ok()) << partition_key << row_key;
  }
  EXPECT_EQ(log.Insert(kA, Keys("", "")).code(), Code::kAlreadyExists);
  EXPECT_EQ(log.operations().size(), 8U);
}

TEST(WriteLogTest, TruncatingDropsWhatOneOwnerWroteSince) {
  WriteLog log;
  ASSERT_TRUE(log.Insert(kA, Keys("p", "a0")).ok());
  ASSERT_TRUE(log.Insert(kB, Keys("p", "b0")).ok());
  const int64_t mark = log.next_sequence();
  for (const char* key : {"a1", "b1", "a2", "b2"}) {
    ASSERT_TRUE(log.Insert(key[0] == 'a' ? kA : kB, Keys("p", key)).ok());
  }
  log.TruncateTo(mark, kA);
  EXPECT_EQ(RowKeys(log), (Texts{"a0", "b0", "b1", "b2"}));
  log.TruncateTo(mark, kA);
  EXPECT_EQ(log.operations().size(), 4U) << "the same again";
  // What was dropped can be inserted again, by anyone; what was kept cannot.
  EXPECT_TRUE(log.Insert(kB, Keys("p", "a2")).ok());
  EXPECT_EQ(log.Insert(kA, Keys("p", "b1")).code(), Code::kAlreadyExists);
  log.TruncateTo(mark, kB);
  EXPECT_EQ(RowKeys(log), (Texts{"a0", "b0"}));
  log.TruncateTo(0, kB);
  EXPECT_EQ(RowKeys(log), Texts{"a0"});
}

TEST(WriteLogTest, SequencesAreNeverGivenTwice) {
  WriteLog log;
  ASSERT_TRUE(log.Insert(kA, Keys("p", "1")).ok());
  const int64_t mark = log.next_sequence();
  ASSERT_TRUE(log.Insert(kA, Keys("p", "2")).ok());
  const int64_t later = log.next_sequence();
  log.TruncateTo(mark, kA);
  EXPECT_EQ(log.next_sequence(), later) << "a mark that another table set stays good";
  ASSERT_TRUE(log.Insert(kA, Keys("p", "3")).ok());
  EXPECT_EQ(log.operations().back().sequence, later);
}

TEST(WriteLogTest, ClearForgetsEverything) {
  WriteLog log;
  ASSERT_TRUE(log.Insert(kA, Keys("p", "1")).ok());
  log.Clear();
  EXPECT_TRUE(log.operations().empty());
  EXPECT_TRUE(log.Insert(kB, Keys("p", "1")).ok());
  EXPECT_EQ(log.operations().size(), 1U);
}

TEST(WriteLogTest, MemoryIsBounded) {
  const auto large = [](int number) {
    Entity entity = Keys("p", std::to_string(number));
    for (int i = 0; i < 15; ++i) {
      entity.properties.push_back(
          {"B" + std::to_string(i), Value::Binary(std::string(65'536, 'x'))});
    }
    return entity;
  };
  WriteLog log;
  int64_t mark = 0;
  Status status;
  int count = 0;
  while (count < 1000) {
    if (count == 10) mark = log.next_sequence();
    status = log.Insert(kA, large(count));
    if (!status.ok()) break;
    ++count;
  }
  EXPECT_EQ(status.code(), Code::kTooBig);
  EXPECT_NE(status.message().find("256 MiB"), std::string_view::npos) << status.message();
  EXPECT_NE(status.message().find("COMMIT in smaller steps"), std::string_view::npos);
  ASSERT_EQ(log.operations().size(), static_cast<size_t>(count)) << "no trace of the refused one";
  size_t bytes = 0;
  for (const WriteLog::Operation& operation : log.operations()) {
    bytes += operation.insert.body.size();
  }
  EXPECT_LE(bytes, kMaxPendingBytes);
  EXPECT_GT(bytes, kMaxPendingBytes - 2 * log.operations()[0].insert.body.size());
  EXPECT_EQ(log.Insert(kA, large(count)).code(), Code::kTooBig) << "still not taken";
  // Rolling back makes room again.
  log.TruncateTo(mark, kA);
  ASSERT_EQ(log.operations().size(), 10U);
  EXPECT_TRUE(log.Insert(kA, large(count)).ok());
  log.Clear();
  EXPECT_TRUE(log.Insert(kA, large(count)).ok());
}

}  // namespace
}  // namespace aztables
