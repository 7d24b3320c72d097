// Checks the log of unsent writes: contents and order, the limit of memory, dropping only one
// owner's writes, and snapshots during changes.
#include "write/write_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/log_writes.h"

namespace aztables {
namespace {

using support::kNoLimit;
using support::WriteOf;
using Texts = std::vector<std::string>;

constexpr int64_t kA = 1;
constexpr int64_t kB = 2;

Entity Keys(std::string partition_key, std::string row_key) {
  return {std::move(partition_key), std::move(row_key), {}};
}

Texts RowKeys(const WriteLog& log) {
  Texts keys;
  for (const WriteLog::Item& item : log.Items()) keys.push_back(item.key->row_key);
  return keys;
}

EntityWrite Merge(int value) {
  return WriteOf(WriteVerb::kMerge, {{"A", Value::Int32(value)}}, "etag");
}

Status Delete(WriteLog& log, int64_t owner, EntityKeyView key) {
  return log.Add(owner, key, {WriteVerb::kDelete, "etag", ""}, kNoLimit);
}

TEST(WriteLogTest, KeepsOrderAndProperties) {
  WriteLog log;
  EXPECT_TRUE(log.empty());
  Entity entity = Keys("q", "1");
  entity.properties.push_back({"A", Value::Int64(5)});
  ASSERT_TRUE(support::Insert(log, kA, entity).ok());
  ASSERT_TRUE(support::Insert(log, kB, Keys("p", "2")).ok());
  const auto items = log.Items();
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].key->partition_key, "q");
  EXPECT_EQ(items[0].write->verb, WriteVerb::kInsert);
  EXPECT_EQ(items[0].write->properties, R"({"A@odata.type":"Edm.Int64","A":"5"})");
  EXPECT_EQ(items[1].key->partition_key, "p");
  EXPECT_LT(items[0].sequence, items[1].sequence);
  EXPECT_LT(items[1].sequence, log.next_sequence());
}

TEST(WriteLogTest, AnEntityIsListedOnceWhereItWasFirstWritten) {
  WriteLog log;
  for (const char* key : {"1", "2", "1", "3", "1"}) {
    ASSERT_TRUE(log.Add(kA, {"p", key}, Merge(7), kNoLimit).ok());
  }
  EXPECT_EQ(RowKeys(log), (Texts{"1", "2", "3"}));
  ASSERT_TRUE(support::Insert(log, kA, Keys("p", "4")).ok());
  ASSERT_TRUE(log.Add(kA, {"p", "4"}, {WriteVerb::kDelete, "", ""}, kNoLimit).ok());
  EXPECT_EQ(RowKeys(log), (Texts{"1", "2", "3"})) << "inserted and deleted: nothing is sent";
}

TEST(WriteLogTest, WhatIsKnownOfAnEntity) {
  WriteLog log;
  const EntityKeyView key("p", "1");
  EXPECT_EQ(log.ExistenceOf(key), Existence::kUnknown);
  ASSERT_TRUE(log.Add(kA, key, Merge(1), kNoLimit).ok());
  EXPECT_EQ(log.ExistenceOf(key), Existence::kExists);
  ASSERT_TRUE(Delete(log, kB, key).ok());
  EXPECT_EQ(log.ExistenceOf(key), Existence::kAbsent);
  log.TruncateTo(0, kB);
  EXPECT_EQ(log.ExistenceOf(key), Existence::kExists);
  for (const auto& [pk, rk] : std::vector<std::pair<std::string, std::string>>{
           {"p1", ""}, {"", "p1"}, {"P", "1"}, {"p", ""}}) {
    EXPECT_EQ(log.ExistenceOf({pk, rk}), Existence::kUnknown) << "keys are compared as pairs";
  }
}

TEST(WriteLogTest, TruncatingDropsWhatOneOwnerWroteSince) {
  WriteLog log;
  ASSERT_TRUE(support::Insert(log, kA, Keys("p", "a0")).ok());
  ASSERT_TRUE(support::Insert(log, kB, Keys("p", "b0")).ok());
  const int64_t mark = log.next_sequence();
  for (const char* key : {"a1", "b1", "a2", "b2"}) {
    ASSERT_TRUE(support::Insert(log, key[0] == 'a' ? kA : kB, Keys("p", key)).ok());
  }
  EXPECT_TRUE(log.HasWritesFrom(kA, mark));
  log.TruncateTo(mark, kA);
  EXPECT_FALSE(log.HasWritesFrom(kA, mark));
  EXPECT_TRUE(log.HasWritesFrom(kA, 0));
  EXPECT_EQ(RowKeys(log), (Texts{"a0", "b0", "b1", "b2"}));
  log.TruncateTo(mark, kA);
  EXPECT_EQ(RowKeys(log).size(), 4U) << "the same again";
  log.TruncateTo(mark, kB);
  EXPECT_EQ(RowKeys(log), (Texts{"a0", "b0"}));
  log.TruncateTo(0, kB);
  EXPECT_EQ(RowKeys(log), Texts{"a0"});
}

TEST(WriteLogTest, TruncatingGoesBackToWhatAnEntityWas) {
  WriteLog log;
  ASSERT_TRUE(log.Add(kA, {"p", "1"}, Merge(1), kNoLimit).ok());
  const int64_t mark = log.next_sequence();
  ASSERT_TRUE(log.Add(kA, {"p", "1"}, Merge(2), kNoLimit).ok());
  ASSERT_TRUE(Delete(log, kA, {"p", "1"}).ok());
  EXPECT_EQ(log.Items()[0].write->verb, WriteVerb::kDelete);
  log.TruncateTo(mark, kA);
  EXPECT_EQ(*log.Items()[0].write, Merge(1));
}

TEST(WriteLogTest, SequencesAreNeverGivenTwice) {
  WriteLog log;
  ASSERT_TRUE(support::Insert(log, kA, Keys("p", "1")).ok());
  const int64_t mark = log.next_sequence();
  ASSERT_TRUE(support::Insert(log, kA, Keys("p", "2")).ok());
  const int64_t later = log.next_sequence();
  log.TruncateTo(mark, kA);
  EXPECT_EQ(log.next_sequence(), later) << "a mark that another table set stays good";
  ASSERT_TRUE(support::Insert(log, kA, Keys("p", "3")).ok());
  EXPECT_EQ(log.Items().back().sequence, later);
}

TEST(WriteLogTest, MemoryIsBounded) {
  constexpr size_t kMost = 1'000'000;
  const auto large = WriteOf(WriteVerb::kMerge, {{"A", Value::String(std::string(30'000, 'x'))}});
  WriteLog log;
  int64_t mark = 0;
  int count = 0;
  Status status;
  for (; count < 1000; ++count) {
    if (count == 10) mark = log.next_sequence();
    status = log.Add(kA, {"p", std::to_string(count)}, large, kMost);
    if (!status.ok()) break;
  }
  EXPECT_EQ(status.code(), Code::kBudget);
  EXPECT_EQ(status.message(),
            "the transaction holds more than max_pending=1000000 bytes that are not sent yet; "
            "COMMIT in smaller steps, or raise max_pending");
  EXPECT_EQ(RowKeys(log).size(), static_cast<size_t>(count)) << "no trace of the refused one";
  EXPECT_GT(count, 30);
  EXPECT_LT(count, 34);
  EXPECT_EQ(
      log.Move(kA, {"p", "0"}, {WriteVerb::kDelete, "*", ""}, {"p", "m"}, large, kMost).code(),
      Code::kBudget);
  log.TruncateTo(mark, kA);
  ASSERT_EQ(RowKeys(log).size(), 10U);
  EXPECT_TRUE(log.Add(kA, {"p", "x"}, large, kMost).ok()) << "rolling back makes room again";
  log.Clear();
  EXPECT_TRUE(log.empty());
  for (int i = 0; i < 30; ++i) {
    EXPECT_TRUE(log.Add(kA, {"p", std::to_string(i)}, large, kMost).ok());
  }
}

TEST(WriteLogTest, MovesGoWithTheirWrites) {
  WriteLog log;
  const int64_t mark = log.next_sequence();
  ASSERT_TRUE(log.Move(kA, {"p", "1"}, {WriteVerb::kDelete, "etag", ""}, {"q", "2"},
                       WriteOf(WriteVerb::kInsert), kNoLimit)
                  .ok());
  ASSERT_EQ(log.moves().size(), 1U);
  EXPECT_EQ(log.moves()[0].from.row_key, "1");
  EXPECT_EQ(log.moves()[0].to.partition_key, "q");
  EXPECT_EQ(RowKeys(log), (Texts{"2", "1"})) << "the insert first";
  log.TruncateTo(mark, kB);
  EXPECT_EQ(log.moves().size(), 1U);
  log.TruncateTo(mark, kA);
  EXPECT_TRUE(log.moves().empty());
  EXPECT_TRUE(log.empty());
}

TEST(WriteLogTest, AMoveIsTakenBack) {
  WriteLog log;
  ASSERT_TRUE(log.Add(kA, {"p", "1"}, Merge(1), kNoLimit).ok());
  const size_t before = log.bytes();
  const int64_t first = log.next_sequence();
  const EntityWrite removal{WriteVerb::kDelete, "etag", ""};
  ASSERT_TRUE(log.Move(kA, {"p", "1"}, removal, {"p", "2"},
                       WriteOf(WriteVerb::kInsertOrReplace, {{"A", Value::Int32(5)}}), kNoLimit)
                  .ok());
  const int64_t second = log.next_sequence();
  ASSERT_TRUE(log.Add(kB, {"p", "2"}, Merge(7), kNoLimit).ok());
  const size_t with_both = log.bytes();
  log.TakeBack(second);
  EXPECT_EQ(log.moves().size(), 1U) << "no move was made there";
  log.TakeBack(first);
  EXPECT_TRUE(log.moves().empty());
  EXPECT_LT(log.bytes(), with_both);
  EXPECT_EQ(*log.Find({"p", "1"}), Merge(1));
  EXPECT_EQ(*log.Find({"p", "2"}), Merge(7));
  log.TakeBack(first);
  EXPECT_EQ(RowKeys(log), (Texts{"1", "2"}));
  log.TruncateTo(first, kA);
  log.TruncateTo(first, kB);
  EXPECT_EQ(log.bytes(), before) << "nothing is left of it";
  EXPECT_EQ(RowKeys(log), Texts{"1"});
}

TEST(WriteLogTest, WhatWasSentIsForgotten) {
  WriteLog log;
  ASSERT_TRUE(support::Insert(log, kA, Keys("p", "1")).ok());
  const size_t one = log.bytes();
  ASSERT_TRUE(log.Add(kA, {"p", "2"}, Merge(1), kNoLimit).ok());
  const int64_t mark = log.next_sequence();
  ASSERT_TRUE(log.Add(kB, {"p", "2"}, Merge(2), kNoLimit).ok());
  ASSERT_TRUE(support::Insert(log, kA, Keys("p", "3")).ok());
  log.Forget({{"p", "2"}, {"p", "3"}, {"p", "never written"}});
  EXPECT_EQ(RowKeys(log), Texts{"1"});
  EXPECT_EQ(log.size(), 1U);
  EXPECT_EQ(log.bytes(), one);
  EXPECT_EQ(log.ExistenceOf({"p", "2"}), Existence::kUnknown);
  EXPECT_FALSE(log.HasWritesFrom(kB, 0));
  log.TruncateTo(mark, kA);
  EXPECT_EQ(RowKeys(log), Texts{"1"}) << "what was sent cannot be taken back";
  EXPECT_GT(log.next_sequence(), mark);
  ASSERT_TRUE(log.Add(kA, {"p", "2"}, Merge(3), kNoLimit).ok());
  EXPECT_EQ(RowKeys(log), (Texts{"1", "2"}));
  log.TruncateTo(0, kA);
  EXPECT_TRUE(log.empty());
  EXPECT_EQ(log.bytes(), 0U);
}

TEST(WriteLogTest, MovesAreForgottenWithTheirWrites) {
  WriteLog log;
  for (const char* key : {"1", "2"}) {
    ASSERT_TRUE(log.Move(kA, {"p", key}, {WriteVerb::kDelete, "etag", ""}, {"q", key},
                         WriteOf(WriteVerb::kInsert), kNoLimit)
                    .ok());
  }
  log.Forget({{"q", "1"}});
  ASSERT_EQ(log.moves().size(), 1U) << "the insert is there: the delete has nothing to wait for";
  EXPECT_EQ(log.moves()[0].to.row_key, "2");
  EXPECT_EQ(RowKeys(log), (Texts{"1", "2", "2"}));
}

// The rows of a snapshot as "key:verb", in order.
Texts Show(WriteSnapshot& snapshot) {
  Texts shown;
  EntityKey last;
  for (bool behind = false;; behind = true) {
    const auto item = snapshot.Next(last, behind);
    EXPECT_TRUE(item.ok());
    if (!*item) return shown;
    last = {std::string((*item)->key.partition_key), std::string((*item)->key.row_key)};
    shown.push_back(last.row_key + ":" + std::to_string(static_cast<int>((*item)->write->verb)));
    const auto found = snapshot.Find(last);
    EXPECT_TRUE(found.ok() && *found != nullptr);
  }
}

TEST(WriteSnapshotTest, ShowsTheLogAsItWas) {
  WriteLog log;
  WriteSnapshot none = log.Snapshot();
  ASSERT_TRUE(log.Add(kA, {"p", "2"}, Merge(1), kNoLimit).ok());
  ASSERT_TRUE(support::Insert(log, kA, Keys("p", "1")).ok());
  WriteSnapshot two = log.Snapshot();
  ASSERT_TRUE(Delete(log, kA, {"p", "2"}).ok());
  ASSERT_TRUE(support::Insert(log, kA, Keys("p", "3")).ok());
  WriteSnapshot three = log.Snapshot();
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(Show(none), Texts{});
  EXPECT_EQ(Show(two), (Texts{"1:1", "2:5"}));
  EXPECT_EQ(Show(three), (Texts{"1:1", "2:7", "3:1"}));
  EXPECT_EQ(three.CountDeleted(10), 1U);
  log.Forget({{"p", "1"}, {"p", "2"}});
  EXPECT_EQ(Show(three), (Texts{"1:1", "2:7", "3:1"})) << "sending does not change it";
  EXPECT_EQ(RowKeys(log), Texts{"3"});
  log.Clear();
  EXPECT_EQ(Show(three), (Texts{"1:1", "2:7", "3:1"})) << "the COMMIT does not change it";
}

TEST(WriteSnapshotTest, ARollbackIsSeen) {
  WriteLog log;
  ASSERT_TRUE(support::Insert(log, kA, Keys("p", "1")).ok());
  ASSERT_TRUE(Delete(log, kB, {"p", "2"}).ok());
  WriteSnapshot snapshot = log.Snapshot();
  log.Drop();
  EXPECT_TRUE(log.empty());
  EXPECT_EQ(log.bytes(), 0U);
  EXPECT_EQ(Show(snapshot), Texts{});
  EXPECT_EQ(snapshot.CountDeleted(10), 0U);
  ASSERT_TRUE(support::Insert(log, kA, Keys("p", "3")).ok());
  EXPECT_EQ(Show(snapshot), Texts{}) << "of another transaction";
}

TEST(WriteSnapshotTest, IsInSqlitesOrder) {
  WriteLog log;
  for (const char* key : {"\xEF\xBF\xBD", "a", "\xF0\x9F\x98\x80", "", "B"}) {
    ASSERT_TRUE(support::Insert(log, kA, Keys("p", key)).ok());
  }
  WriteSnapshot snapshot = log.Snapshot();
  EXPECT_EQ(Show(snapshot), (Texts{":1", "B:1", "a:1", "\xEF\xBF\xBD:1", "\xF0\x9F\x98\x80:1"}));
}

// Random writes, truncations and snapshots against a model with copies.
TEST(WriteSnapshotTest, RandomHistories) {
  std::mt19937 random(5);
  EntityReader reader;
  for (int round = 0; round < 200; ++round) {
    WriteLog log;
    std::map<std::string, EntityWrite> model;
    std::vector<std::pair<WriteSnapshot, std::map<std::string, EntityWrite>>> kept;
    for (int step = 0; step < 60; ++step) {
      const std::string key = std::to_string(random() % 6);
      EntityWrite write = WriteOf(static_cast<WriteVerb>(1 + random() % 7),
                                  {{"P" + std::to_string(random() % 3),
                                    Value::Int32(static_cast<int32_t>(random() % 100))}});
      if (write.verb >= WriteVerb::kMerge) write.if_match = random() % 2 ? "*" : "e";
      if (write.verb == WriteVerb::kDelete) write.properties.clear();
      ASSERT_TRUE(log.Add(kA, {"p", key}, write, kNoLimit).ok());
      const auto known = model.find(key);
      const auto merged = known == model.end() ? Result<EntityWrite>(write)
                                               : Coalesce(known->second, write, reader);
      ASSERT_TRUE(merged.ok());
      model[key] = *merged;
      if (random() % 10 == 0) kept.emplace_back(log.Snapshot(), model);
      if (random() % 15 == 0) {
        std::vector<EntityKey> sent;
        sent.reserve(3);
        for (int i = 0; i < 3; ++i) sent.push_back({"p", std::to_string(random() % 6)});
        log.Forget(sent);
        for (const EntityKey& forgotten : sent) model.erase(forgotten.row_key);
        const auto left =
            static_cast<size_t>(std::count_if(model.begin(), model.end(), [](const auto& entity) {
              return entity.second.verb != WriteVerb::kNothing;
            }));
        ASSERT_EQ(log.Items().size(), left);
      }
    }
    for (auto& [snapshot, copy] : kept) {
      for (const auto& [key, write] : copy) {
        const auto found = snapshot.Find({"p", key});
        ASSERT_TRUE(found.ok());
        if (write.verb == WriteVerb::kNothing) {
          EXPECT_EQ(*found, nullptr);
        } else {
          ASSERT_NE(*found, nullptr);
          EXPECT_EQ(**found, write);
        }
      }
    }
  }
}

}  // namespace
}  // namespace aztables
