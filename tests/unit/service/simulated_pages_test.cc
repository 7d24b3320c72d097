// Checks how a simulation ends pages early: range boundaries, rows, time, and tokens without a row.
#include <set>
#include <string>
#include <string_view>

#include "unit/service/simulation_test_base.h"

namespace aztables {
namespace {

// The partitions of each page, following the tokens: "a b|c".
class SimulatedPagesTest : public SimulationTest {
 protected:
  std::string Pages(const std::string& options = "") {
    std::string pages;
    const std::string first = "$select=PartitionKey" + options;
    std::string query = first;
    rowless_ = 0;
    for (int i = 0; i < 100; ++i) {
      const Response page = Send(Get("/Tab()", query));
      EXPECT_EQ(page.status, 200) << page.body;
      constexpr std::string_view kKey = "\"PartitionKey\":\"";
      for (size_t at = 0; (at = page.body.find(kKey, at)) != std::string::npos;) {
        at += kKey.size();
        pages += page.body[at];
      }
      const std::string* const partition = page.headers.Find("x-ms-continuation-NextPartitionKey");
      if (partition == nullptr) return pages;
      const std::string* const row = page.headers.Find("x-ms-continuation-NextRowKey");
      query = first;
      query += "&NextPartitionKey=" + *partition;
      if (row != nullptr) {
        query += "&NextRowKey=" + *row;
      } else {
        ++rowless_;
      }
      pages += "|";
    }
    return pages + "...";
  }
  // Entities of partitions a to h, two each.
  void Fill() {
    for (char c = 'a'; c <= 'h'; ++c) {
      for (const char* row : {"1", "2"}) {
        EXPECT_EQ(Serve(Insert(std::string(1, c), row)).status, 201);
      }
    }
  }
  int rowless_ = 0;
};

TEST_F(SimulatedPagesTest, APageEndsAtTheNextRange) {
  Start("ranges=1");
  Fill();
  // The first range has no entity. So has the range of a missing partition.
  EXPECT_EQ(Pages(), "|aa|bb|cc|dd|ee|ff|gg|hh");
  EXPECT_EQ(Pages("&$filter=PartitionKey%20eq%20'c'"), "cc");
  EXPECT_EQ(Pages("&$filter=PartitionKey%20ge%20'c'%20and%20RowKey%20eq%20'2'"), "c|d|e|f|g|h");
  EXPECT_EQ(Pages("&$filter=PartitionKey%20gt%20'g'"), "|hh");
  EXPECT_EQ(Pages("&$filter=RowKey%20eq%20'x'"), "||||||||");
  EXPECT_EQ(Pages("&$top=1"), "|a|a|b|b|c|c|d|d|e|e|f|f|g|g|h|h");
}

TEST_F(SimulatedPagesTest, TheSeedChoosesTheRanges) {
  std::set<std::string> different;
  for (int seed = 1; seed <= 8; ++seed) {
    const std::string plan = "seed=" + std::to_string(seed) + ",ranges=3";
    Start(plan);
    Fill();
    const std::string pages = Pages();
    different.insert(pages);
    std::string entities = pages;
    std::erase(entities, '|');
    EXPECT_EQ(entities, "aabbccddeeffgghh");
    Start(plan);
    Fill();
    EXPECT_EQ(Pages(), pages);
  }
  EXPECT_GT(different.size(), 4U);
}

TEST_F(SimulatedPagesTest, APageEndsAfterItsRowsOrItsTime) {
  Start("scan_rows=3");
  Fill();
  EXPECT_EQ(Pages(), "aab|bcc|dde|eff|ggh|h");
  EXPECT_EQ(Pages("&$filter=PartitionKey%20ge%20'b'%20and%20RowKey%20eq%20'1'"), "bc|d|ef|g|h");
  EXPECT_EQ(Pages("&$filter=Absent%20eq%201"), "|||||");
  Start("scan_time=0");
  Fill();
  EXPECT_EQ(Pages(), "a|a|b|b|c|c|d|d|e|e|f|f|g|g|h|h");
}

TEST_F(SimulatedPagesTest, TokensOfPartitionsHaveNoRowKey) {
  Start("tokens=partition,scan_rows=2");
  Fill();
  EXPECT_EQ(Pages(), "aa|bb|cc|dd|ee|ff|gg|hh");
  EXPECT_EQ(rowless_, 7);
  EXPECT_EQ(Pages("&$top=1"), "a|a|b|b|c|c|d|d|e|e|f|f|g|g|h|h");
  EXPECT_EQ(rowless_, 7);
  // The token of a table with the name of a deleted one.
  EXPECT_EQ(Serve({.method = "DELETE", .origin = "http://h", .path = "/Tables('Tab')"}).status,
            204);
  Request create{.method = "POST", .origin = "http://h", .path = "/Tables"};
  create.body = R"({"TableName":"Tab"})";
  EXPECT_EQ(Serve(create).status, 201);
  Fill();
  EXPECT_EQ(Pages(), "aa|bb|cc|dd|ee|ff|gg|hh");
  EXPECT_EQ(rowless_, 7);
}

TEST_F(SimulatedPagesTest, AMoveAffectsTheWholeRange) {
  // Seeks a seed with a range of several partitions that does not begin with the table.
  std::string pages;
  std::string range;
  for (int seed = 1; seed < 50 && range.size() < 2; ++seed) {
    Start("seed=" + std::to_string(seed) + ",ranges=3,move:1000@1/writes");
    Fill();
    pages = Pages();
    const size_t begin = pages.find('|');
    if (begin == std::string::npos || begin == 0) continue;
    range = pages.substr(begin + 1, pages.find('|', begin + 1) - begin - 1);
    if (range.size() < 4 || range.ends_with("hh")) range.clear();
  }
  ASSERT_GE(range.size(), 4U) << pages;
  EXPECT_EQ(Status(Insert(std::string(1, range.back()), "new")), 503);
  for (char c = 'a'; c <= 'h'; ++c) {
    const bool moves = range.find(c) != std::string::npos;
    EXPECT_EQ(Status(Point(std::string(1, c))), moves ? 503 : 404) << pages << " " << c;
    EXPECT_EQ(Status(Get("/Tab()", std::string("$filter=PartitionKey%20ge%20'") + c + "'")),
              moves ? 503 : 200)
        << pages << " " << c;
  }
  EXPECT_EQ(Status(Get("/Tab()")), 200);  // a page of the first range
  clock_.now_ms += 1000;
  EXPECT_EQ(Pages(), pages);
}

}  // namespace
}  // namespace aztables
