// Checks the request log: ids, and that it keeps the last 10,000.
#include "http/request_log.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

RequestRecord Record(std::string url) {
  RequestRecord record;
  record.url = std::move(url);
  return record;
}

TEST(RequestLogTest, IdsCountFromOne) {
  RequestLog log;
  EXPECT_EQ(log.Find(0), nullptr);
  EXPECT_EQ(log.Find(1), nullptr);
  EXPECT_EQ(log.Add(Record("a")), 1);
  EXPECT_EQ(log.Add(Record("b")), 2);
  ASSERT_EQ(log.records().size(), 2U);
  EXPECT_EQ(log.records()[0].id, 1);
  ASSERT_NE(log.Find(2), nullptr);
  EXPECT_EQ(log.Find(2)->url, "b");
  EXPECT_EQ(log.Find(2)->id, 2);
  for (const int64_t id : {-1, 0, 3}) EXPECT_EQ(log.Find(id), nullptr) << id;
}

TEST(RequestLogTest, GivenIdsAreReplaced) {
  RequestLog log;
  RequestRecord record = Record("a");
  record.id = 77;
  EXPECT_EQ(log.Add(record), 1);
  EXPECT_EQ(log.Find(77), nullptr);
}

TEST(RequestLogTest, FoundRecordsCanBeChanged) {
  RequestLog log;
  const int64_t id = log.Add(Record("a"));
  log.Find(id)->status = 200;
  EXPECT_EQ(log.records()[0].status, 200);
}

TEST(RequestLogTest, KeepsTheLastTenThousand) {
  static_assert(RequestLog::kCapacity == 10'000);
  RequestLog log;
  constexpr int64_t kAll = 25'000;
  for (int64_t i = 1; i <= kAll; ++i) {
    ASSERT_EQ(log.Add(Record("r" + std::to_string(i))), i);
    ASSERT_EQ(log.records().size(), static_cast<size_t>(std::min<int64_t>(i, 10'000)));
  }
  EXPECT_EQ(log.records().front().id, kAll - 10'000 + 1);
  EXPECT_EQ(log.records().back().id, kAll);
  EXPECT_EQ(log.Find(kAll - 10'000), nullptr) << "dropped";
  EXPECT_EQ(log.Find(kAll - 10'000 + 1)->url, "r15001");
  EXPECT_EQ(log.Find(20'000)->url, "r20000");
  EXPECT_EQ(log.Find(kAll)->url, "r25000");
  EXPECT_EQ(log.Find(kAll + 1), nullptr);
}

}  // namespace
}  // namespace aztables
