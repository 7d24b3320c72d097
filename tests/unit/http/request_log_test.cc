// Checks the request log: ids, and that it keeps the last 10,000.
#include "http/request_log.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

int64_t Add(RequestLog& log, const std::string& url) {
  RequestRecord& record = log.Add();
  record.url = url;
  return record.id;
}

TEST(RequestLogTest, IdsCountFromOne) {
  RequestLog log;
  EXPECT_EQ(log.Find(0), nullptr);
  EXPECT_EQ(log.Find(1), nullptr);
  EXPECT_EQ(Add(log, "a"), 1);
  EXPECT_EQ(Add(log, "b"), 2);
  ASSERT_EQ(log.size(), 2U);
  EXPECT_EQ(log.At(0).id, 1);
  ASSERT_NE(log.Find(2), nullptr);
  EXPECT_EQ(log.Find(2)->url, "b");
  EXPECT_EQ(log.Find(2)->id, 2);
  for (const int64_t id : {-1, 0, 3}) EXPECT_EQ(log.Find(id), nullptr) << id;
}

TEST(RequestLogTest, ARecordHasNothingOfTheOneWhoseMemoryItTakes) {
  RequestLog log;
  RequestRecord& first = log.Add();
  first.label = {7, 2, "prod", "T", "row range", "PartitionKey eq 'a'"};
  first.time_ms = first.entities = first.bytes_in = first.bytes_out = 5;
  first.method = first.url = first.code = first.error = first.request_id = "text";
  first.status = first.attempts = 3;
  first.ms = 1.5;
  for (size_t i = 1; i < RequestLog::kCapacity; ++i) log.Add();
  const RequestRecord& record = log.Add();
  ASSERT_EQ(&record, &first);
  EXPECT_EQ(record.id, int64_t{RequestLog::kCapacity} + 1);
  EXPECT_EQ(record.label.statement_id + record.label.scan, 0);
  EXPECT_EQ(record.time_ms + record.entities + record.bytes_in + record.bytes_out, 0);
  EXPECT_EQ(record.status + record.attempts, 0);
  EXPECT_EQ(record.ms, 0);
  for (const std::string& text :
       {record.label.connection, record.label.table, record.label.kind, record.label.filter,
        record.method, record.url, record.code, record.error, record.request_id}) {
    EXPECT_EQ(text, "");
  }
}

TEST(RequestLogTest, FoundRecordsCanBeChanged) {
  RequestLog log;
  const int64_t id = Add(log, "a");
  log.Find(id)->status = 200;
  EXPECT_EQ(log.At(0).status, 200);
}

TEST(RequestLogTest, KeepsTheLastTenThousand) {
  static_assert(RequestLog::kCapacity == 10'000);
  RequestLog log;
  constexpr int64_t kAll = 25'000;
  for (int64_t i = 1; i <= kAll; ++i) {
    ASSERT_EQ(Add(log, "r" + std::to_string(i)), i);
    ASSERT_EQ(log.size(), static_cast<size_t>(std::min<int64_t>(i, 10'000)));
  }
  EXPECT_EQ(log.At(0).id, kAll - 10'000 + 1);
  EXPECT_EQ(log.At(log.size() - 1).id, kAll);
  EXPECT_EQ(log.Find(kAll - 10'000), nullptr) << "dropped";
  EXPECT_EQ(log.Find(kAll - 10'000 + 1)->url, "r15001");
  EXPECT_EQ(log.Find(20'000)->url, "r20000");
  EXPECT_EQ(log.Find(kAll)->url, "r25000");
  EXPECT_EQ(log.Find(kAll + 1), nullptr);
}

}  // namespace
}  // namespace aztables
