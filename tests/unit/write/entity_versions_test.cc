// Checks the versions of one entity against a model that coalesces all of them anew each time.
#include "write/entity_versions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "support/log_writes.h"

namespace aztables {
namespace {

using History = std::vector<std::pair<int64_t, EntityWrite>>;

EntityWrite RandomVersion(std::mt19937& random) {
  EntityWrite write = support::WriteOf(
      static_cast<WriteVerb>(1 + random() % 7),
      {{"P" + std::to_string(random() % 3), Value::Int32(static_cast<int32_t>(random() % 100))}});
  if (write.verb >= WriteVerb::kMerge) write.if_match = random() % 2 ? "*" : "e";
  if (write.verb == WriteVerb::kDelete) write.properties.clear();
  return write;
}

std::optional<EntityWrite> Anew(const History& history, int64_t sequence) {
  EntityReader reader;
  std::optional<EntityWrite> merged;
  for (const auto& [number, write] : history) {
    if (number >= sequence) break;
    merged = merged ? *Coalesce(*merged, write, reader) : write;
  }
  return merged;
}

void Check(const EntityVersions& versions, const History& history, std::mt19937& random) {
  EntityReader reader;
  const int64_t end = history.back().first + 1;
  ASSERT_EQ(versions.All(), *Anew(history, end));
  ASSERT_EQ(versions.first_sequence(), history.front().first);
  const auto sequence = static_cast<int64_t>(random() % static_cast<uint64_t>(end + 2));
  EntityWrite scratch;
  const auto seen = versions.Before(sequence, scratch, reader);
  ASSERT_TRUE(seen.ok());
  const auto expected = Anew(history, sequence);
  ASSERT_EQ(*seen != nullptr, expected.has_value());
  if (expected) {
    ASSERT_EQ(**seen, *expected);
  }
}

// Drops the versions from `sequence` on, each with the chance 1 in `share`, as TruncateTo() does.
void DropSome(EntityVersions& versions, History& history, int64_t sequence, unsigned share,
              std::mt19937& random) {
  EntityReader reader;
  for (size_t i = history.size(); i-- > 0 && history[i].first >= sequence;) {
    if (random() % share != 0) continue;
    versions.Drop(history[i].first);
    history.erase(history.begin() + static_cast<std::ptrdiff_t>(i));
  }
  ASSERT_EQ(versions.Settle(reader), !history.empty());
}

TEST(EntityVersionsTest, RandomHistories) {
  std::mt19937 random(22);
  EntityReader reader;
  for (int round = 0; round < 300; ++round) {
    int64_t next = 1 + static_cast<int64_t>(random() % 3);
    History history = {{next, RandomVersion(random)}};
    EntityVersions versions(next, history.front().second);
    for (int step = 0; step < 90 && !history.empty(); ++step) {
      next += 1 + static_cast<int64_t>(random() % 3);
      history.emplace_back(next, RandomVersion(random));
      ASSERT_TRUE(versions.Add(next, history.back().second, reader).ok());
      ASSERT_NO_FATAL_FAILURE(Check(versions, history, random));
      if (random() % 12 == 0) {
        auto& [sequence, write] = history[random() % history.size()];
        ASSERT_EQ(versions.At(sequence), write);
        versions.Void(sequence, reader);
        write = {};
        ASSERT_NO_FATAL_FAILURE(Check(versions, history, random));
      }
      if (random() % 9 == 0) {
        const size_t back = 1 + random() % std::min<size_t>(history.size(), 40);
        const int64_t sequence = history[history.size() - back].first;
        ASSERT_NO_FATAL_FAILURE(
            DropSome(versions, history, sequence, 1 + random() % 3 % 2, random));
        if (!history.empty()) {
          ASSERT_NO_FATAL_FAILURE(Check(versions, history, random));
        }
      }
    }
  }
}

TEST(EntityVersionsTest, ACopyIsItsOwn) {
  EntityReader reader;
  EntityVersions versions(1, support::WriteOf(WriteVerb::kInsert, {{"A", Value::Int32(1)}}));
  const auto merge = [](int32_t value) {
    return support::WriteOf(WriteVerb::kMerge, {{"A", Value::Int32(value)}});
  };
  ASSERT_TRUE(versions.Add(2, merge(2), reader).ok());
  const EntityVersions copy = versions;
  ASSERT_TRUE(versions.Add(3, merge(3), reader).ok());
  EXPECT_EQ(copy.All(), support::WriteOf(WriteVerb::kInsert, {{"A", Value::Int32(2)}}));
  EXPECT_EQ(versions.All(), support::WriteOf(WriteVerb::kInsert, {{"A", Value::Int32(3)}}));
}

// Each rollback drops one of many versions. If it coalesced all of them again, this would take
// 200 million steps.
TEST(EntityVersionsTest, RollbacksOfALongHistory) {
  EntityReader reader;
  const EntityWrite change = support::WriteOf(WriteVerb::kMerge, {{"A", Value::Int32(7)}}, "e");
  EntityVersions versions(1, change);
  constexpr int64_t kVersions = 20'000;
  for (int64_t i = 2; i <= kVersions; ++i) ASSERT_TRUE(versions.Add(i, change, reader).ok());
  for (int64_t i = kVersions; i >= 2; --i) {
    versions.Drop(i);
    ASSERT_TRUE(versions.Settle(reader));
  }
  EXPECT_EQ(versions.All(), change);
}

}  // namespace
}  // namespace aztables
