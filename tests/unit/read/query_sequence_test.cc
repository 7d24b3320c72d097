// Checks the queries of a list: all rows in the order of the keys, the number of parallel requests,
// and that a LIMIT avoids unneeded requests.
#include "read/query_sequence.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "binary_order_reader.h"

namespace aztables {
namespace {

using support::ScriptedReply;
using support::Utf16Table;

struct Sequence {
  explicit Sequence(Keys keys, int delay = 0)
      : table(std::move(keys), 1), s([this, delay](const Request& request) {
          ScriptedReply reply = table.Handler()(request);
          reply.delay = delay;
          return reply;
        }) {}

  Result<std::unique_ptr<RowStream>> Open(const EntityQuery& query, bool last) {
    ++opened;
    EXPECT_FALSE(was_last);
    was_last = last;
    EntityQuery entities;
    entities.table = "T";
    entities.filter = query.filter;
    if (query.point) {  // the table supports queries only
      entities.filter = {{"PartitionKey", CompareOp::kEq, Value::String(query.point->first)},
                         {"RowKey", CompareOp::kEq, Value::String(query.point->second)}};
    }
    return std::unique_ptr<RowStream>(std::make_unique<StreamPages>(s, std::move(entities), false));
  }

  // The keys of the first `most` rows.
  Keys Read(BoundPlan bound, size_t parallel, size_t most = 1'000) {
    QuerySequence sequence(
        std::move(bound), [this](const EntityQuery& query, bool last) { return Open(query, last); },
        parallel);
    Keys rows;
    while (rows.size() < most) {
      const auto more = sequence.Next();
      EXPECT_TRUE(more.ok()) << more.status().message();
      if (!more.ok() || !*more) break;
      EXPECT_TRUE(sequence.remote());
      rows.emplace_back(sequence.key().partition_key, sequence.key().row_key);
    }
    return rows;
  }

  Utf16Table table;
  support::ScriptedClient s;
  size_t opened = 0;
  bool was_last = false;
};

Keys Rows(const std::vector<std::string>& partitions, size_t rows) {
  Keys keys;
  for (const std::string& partition : partitions) {
    for (size_t i = 0; i < rows; ++i) keys.emplace_back(partition, std::to_string(i));
  }
  return keys;
}

const std::vector<std::string> kPartitions = {"a", "b", "c", "\xEE\x80\x80", "\xF0\x90\x80\x80"};

BoundPlan Partitions(std::vector<std::string> partitions) {
  BoundPlan read;
  read.kind = ReadKind::kRowRange;
  read.partitions = std::move(partitions);
  return read;
}

TEST(QuerySequenceTest, RowsComeInTheOrderOfTheKeys) {
  const Keys keys = Rows(kPartitions, 7);
  for (const size_t parallel : {1U, 2U, 4U, 16U}) {
    for (const size_t page : {3U, 1'000U}) {
      Sequence sequence(keys);
      sequence.table.page = page;
      EXPECT_TRUE(sequence.Read(Partitions(kPartitions), parallel) == keys);
      EXPECT_EQ(sequence.opened, 5U);
      EXPECT_TRUE(sequence.was_last);
      EXPECT_EQ(sequence.table.requests, page == 3 ? 15U : 5U);
    }
  }
}

TEST(QuerySequenceTest, PartitionsWithoutRowsArePassed) {
  Sequence sequence(Rows({"b", "d"}, 2));
  EXPECT_TRUE(sequence.Read(Partitions({"a", "b", "c", "d", "e"}), 4) == Rows({"b", "d"}, 2));
  EXPECT_EQ(sequence.table.requests, 5U);
  Sequence none({});
  EXPECT_TRUE(none.Read(Partitions({"a", "b", "c"}), 2).empty());
  EXPECT_EQ(none.table.requests, 3U);
}

TEST(QuerySequenceTest, OneQueryIsOneRead) {
  Sequence sequence(Rows(kPartitions, 2));
  EXPECT_EQ(sequence.Read(BoundPlan(), 4).size(), 10U);
  EXPECT_EQ(sequence.opened, 1U);
  EXPECT_EQ(sequence.table.requests, 1U);
}

TEST(QuerySequenceTest, SoManyRequestsAreUnderWayAtOnce) {
  std::vector<std::string> partitions;
  for (int i = 10; i < 50; ++i) partitions.push_back(std::to_string(i));
  for (const int parallel : {1, 2, 8}) {
    Sequence sequence(Rows(partitions, 1), 20);
    EXPECT_TRUE(sequence.Read(Partitions(partitions), static_cast<size_t>(parallel)) ==
                Rows(partitions, 1));
    EXPECT_LE(sequence.s.transport.most_in_flight(), parallel);
    EXPECT_GE(sequence.s.transport.most_in_flight(), parallel);
    EXPECT_EQ(sequence.table.requests, 40U);
  }
}

TEST(QuerySequenceTest, NoMoreIsAskedForThanALimitWants) {
  BoundPlan read = Partitions(kPartitions);
  read.page_hint = 3;
  Sequence ranges(Rows(kPartitions, 7));
  EXPECT_EQ(ranges.Read(read, 8, 3).size(), 3U);
  EXPECT_EQ(ranges.table.requests, 1U);
  EXPECT_LE(ranges.opened, 2U);
  // If SQLite drops rows, it may need more after all.
  Sequence all(Rows(kPartitions, 7));
  EXPECT_TRUE(all.Read(read, 8) == Rows(kPartitions, 7));
}

TEST(QuerySequenceTest, OfPointsALimitWantsAsManyAsHaveNotComeYet) {
  std::vector<std::string> rows;
  for (int i = 10; i < 50; ++i) rows.push_back(std::to_string(i));
  Keys keys;
  for (const std::string& row : rows) keys.emplace_back("p", row);
  BoundPlan read;
  read.kind = ReadKind::kPoint;
  read.partitions = {"p"};
  read.rows = rows;
  read.page_hint = 4;
  Sequence few(keys);
  EXPECT_EQ(few.Read(read, 16, 4).size(), 4U);
  EXPECT_EQ(few.table.requests, 4U);
  Sequence late(Keys(keys.begin() + 20, keys.end()), 5);
  EXPECT_EQ(late.Read(read, 16, 4).size(), 4U);
  EXPECT_LE(late.table.requests, 28U);
  EXPECT_LE(late.s.transport.most_in_flight(), 4);
  Sequence all(keys);
  EXPECT_TRUE(all.Read(read, 16) == keys) << "where SQLite leaves some out";
}

TEST(QuerySequenceTest, AnErrorEndsIt) {
  Sequence sequence(Rows(kPartitions, 1));
  QuerySequence failing(
      Partitions(kPartitions),
      [&](const EntityQuery& query, bool last) -> Result<std::unique_ptr<RowStream>> {
        if (query.filter[0].literal.text == "b") return Status::Error("not this one");
        return sequence.Open(query, last);
      },
      1);
  EXPECT_TRUE(*failing.Next());
  EXPECT_EQ(failing.Next().status().message(), "not this one");
}

}  // namespace
}  // namespace aztables
