// Checks the size of a table that a read in ranges shows.
#include "read/scan_record.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace aztables {
namespace {

struct Recorded {
  // A page of the range, with entities of these partitions.
  void Page(size_t range, const KeySpan& span, const std::vector<std::string>& partitions,
            bool token = true, size_t dropped = 0) {
    std::string body = R"({"value":[)";
    for (const std::string& partition : partitions) {
      body += body.ends_with("[") ? "" : ",";
      body += R"({"PartitionKey":")" + partition + R"(","RowKey":"r"})";
    }
    EntityPage page({});
    EXPECT_TRUE(page.ReadQuery(body + "]}").ok());
    record.Add(range, span, page, {0, page.size() - dropped}, token);
  }
  std::string Shape() const {
    const TableShape shape = record.Shape();
    return std::to_string(shape.entities) + " " + std::to_string(shape.per_partition) + " " +
           std::to_string(shape.largest);
  }

  ScanRecord record;
};

TEST(ScanRecordTest, OneRange) {
  Recorded scan;
  EXPECT_EQ(scan.Shape(), "0 1 1");
  scan.Page(0, {}, {"a", "a", "b"});
  scan.Page(0, {}, {"b", "b", "c"});
  EXPECT_EQ(scan.Shape(), "6 2 3");
}

TEST(ScanRecordTest, RangesOfPartitions) {
  Recorded scan;
  scan.Page(0, {.high = "m"}, {"a", "a"});
  scan.Page(1, {.low = "m"}, {"m", "n", "n"});
  scan.Page(0, {.high = "m"}, {"a", "b"});
  EXPECT_EQ(scan.Shape(), "7 1 3");
}

TEST(ScanRecordTest, RangesOfOnePartition) {
  Recorded scan;
  scan.Page(0, {}, {"a", "b", "b"});
  const KeySpan rest{.partition = "b"};
  scan.Page(0, rest, {"b", "b"});
  scan.Page(1, {.partition = "b", .low = "x"}, {"b", "b"});
  scan.Page(2, {.low = "b", .after_low = true}, {"c"});
  scan.Page(0, rest, {"b"});
  EXPECT_EQ(scan.Shape(), "9 3 7") << "a, seven of b, c";
  // Known from the start: no other range has counted the partition.
  Recorded known;
  known.Page(0, {.partition = "b", .high = "m"}, {"b"});
  known.Page(1, {.partition = "b", .low = "m"}, {"b", "b"});
  EXPECT_EQ(known.Shape(), "3 3 3");
}

TEST(ScanRecordTest, ItsKeysDivideTheNextRead) {
  Recorded scan;
  for (int i = 10; i < 50; ++i) scan.Page(0, {}, {"p" + std::to_string(i)});
  EXPECT_EQ(scan.record.TakeKeys().Divide({}, 4).size(), 4U);
}

TEST(ScanRecordTest, ItsKeysShowWhereAPartitionBegins) {
  Recorded scan;
  scan.Page(0, {}, {"a", "a", "a", "b"});
  scan.Page(0, {}, {"b", "b", "b", "b"});
  scan.Page(0, {.high = "d"}, {"b", "c", "c", "d"}, true, 1);
  const KnownKeys keys = scan.record.TakeKeys();
  EXPECT_EQ(keys.PagesBehind({.high = "b"}, "", ""), 0.75);
  EXPECT_EQ(keys.PagesBehind({.high = "c"}, "", ""), 2.25);
}

// A page of large entities has few of them.
TEST(ScanRecordTest, PagesOfAnySizeCountAlike) {
  Recorded scan;
  const auto pages = [&] {
    KnownKeys keys = scan.record.TakeKeys();
    scan.record = {};
    return keys.pages();
  };
  scan.Page(0, {}, {"a", "b", "c", "d"});
  scan.Page(0, {}, {"e"});
  EXPECT_EQ(pages(), 2);
  scan.Page(0, {}, {"a", "b", "c", "d"});
  scan.Page(0, {}, {"e"}, false);
  EXPECT_EQ(pages(), 1.25) << "the last page is not full";
  scan.Page(0, {.high = "c"}, {"a", "b", "c", "d"}, true, 2);
  EXPECT_EQ(pages(), 0.5) << "two rows are in another range";
  scan.Page(0, {}, {"a"}, false);
  EXPECT_EQ(pages(), 1) << "no full page is known";
}

}  // namespace
}  // namespace aztables
