// Checks Timestamp and ETag: each write gets a later Timestamp, in units of 100 ns, and the ETag
// equals it.
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "model/datetime.h"
#include "raw_batch_base.h"

namespace aztables {
namespace {

class TimestampsTest : public RawBatchTest {
 protected:
  static Ticks TimestampOf(const std::string& entity) {
    const auto ticks = ParseDateTime(JsonStringAt(entity, "/Timestamp"));
    EXPECT_TRUE(ticks) << entity;
    return ticks.value_or(0);
  }
};

TEST_F(TimestampsTest, GrowWithEveryWrite) {
  // Where Timestamps may go backwards, ten EGTs do not always show it.
  const int egts = Differs(Difference::kTimestampsOfAnEgt) ? 100 : 10;
  constexpr int kOperations = 100;
  Ticks last = 0;
  bool grows = true;
  for (int egt = 0; egt < egts && grows; ++egt) {
    std::vector<BatchOperation> operations;
    operations.reserve(kOperations);
    for (int i = 0; i < kOperations; ++i) {
      operations.push_back(InsertOf(std::to_string(10000 + egt * kOperations + i)));
    }
    ASSERT_EQ(SendBatch(operations).parts.size(), kOperations);
    const ParsedResponse all =
        List("$filter=RowKey%20ge%20'" + std::to_string(10000 + egt * kOperations) +
             "'&$select=Timestamp");
    for (int i = 0; i < kOperations; ++i) {
      const Ticks time = TimestampOf(all.At("/value/" + std::to_string(i)));
      grows = grows && time > last;
      last = time;
    }
  }
  EXPECT_EQ(grows, !Differs(Difference::kTimestampsOfAnEgt));
}

TEST_F(TimestampsTest, AreWrittenWithoutTrailingZeros) {
  // One time in ten ends with a zero.
  int zeros = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string timestamp = JsonStringAt(Insert(std::to_string(i)).body, "/Timestamp");
    EXPECT_TRUE(timestamp.ends_with('Z')) << timestamp;
    if (timestamp.ends_with("0Z") && timestamp.find('.') != std::string::npos) ++zeros;
  }
  EXPECT_EQ(zeros > 0, Differs(Difference::kTrailingZeros));
}

// 96 of 104 recorded Timestamps have seven digits. One that is not whole milliseconds must not come
// from a counter alone, so these writes are several milliseconds apart.
TEST_F(TimestampsTest, HaveSevenDigits) {
  int finer = 0;
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    const ParsedResponse response = Insert(std::to_string(i));
    if (TimestampOf(response.body) % kTicksPerMs > 4) ++finer;
  }
  EXPECT_GT(finer, 0);
}

TEST_F(TimestampsTest, TheEtagIsTheTimestamp) {
  const ParsedResponse response = Insert("r");
  std::string encoded = JsonStringAt(response.body, "/Timestamp");
  for (size_t at = 0; (at = encoded.find(':', at)) != std::string::npos;) {
    encoded.replace(at, 1, "%3A");
  }
  EXPECT_EQ(response.etag(), "W/\"datetime'" + encoded + "'\"");
  EXPECT_EQ(response.At("/odata.etag"), R"("W/\"datetime')" + encoded + R"('\"")");
}

TEST_F(TimestampsTest, ChangeWithEveryUpdateAndOnlyThen) {
  const Ticks inserted = TimestampOf(Insert("r", R"("A":1)").body);
  EXPECT_EQ(TimestampOf(Get("r").body), inserted);
  Change("MERGE", "r", R"({"A":1})", "*");
  const Ticks merged = TimestampOf(Get("r").body);
  EXPECT_NE(merged, inserted);
  Change("PUT", "r", R"({"A":1})", "*");
  EXPECT_NE(TimestampOf(Get("r").body), merged);
}

TEST_F(TimestampsTest, CanBeAskedForToTheTick) {
  ASSERT_EQ(SendBatch({InsertOf("1"), InsertOf("2")}).text(), "204 204");
  const std::string first = JsonStringAt(Get("1").body, "/Timestamp");
  const std::string second = JsonStringAt(Get("2").body, "/Timestamp");
  const bool coarse = Differs(Difference::kDatesToTheMillisecond);
  EXPECT_EQ(Rows("Timestamp eq datetime'" + second + "'"), coarse ? "1 2" : "2");
  EXPECT_EQ(Rows("Timestamp gt datetime'" + first + "'"), coarse ? "" : "2");
}

}  // namespace
}  // namespace aztables
