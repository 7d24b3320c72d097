// Checks which names are similar, and their order.
#include "model/similar_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace aztables {
namespace {

using Names = std::vector<std::string>;

TEST(SimilarNamesTest, TheBestComeFirst) {
  const Names names = {"CustomerOrdersArchive", "Invoices", "CustomerOrder", "customerorders",
                       "CustmerOrders"};
  EXPECT_EQ(SimilarNames("CustomerOrders", names, 9),
            (Names{"customerorders", "CustmerOrders", "CustomerOrder", "CustomerOrdersArchive"}));
  EXPECT_EQ(SimilarNames("CustomerOrders", names, 2), (Names{"customerorders", "CustmerOrders"}));
  EXPECT_EQ(SimilarNames("CustomerOrders", names, 0), Names{});
}

TEST(SimilarNamesTest, FewEditsRelativeToTheLength) {
  EXPECT_EQ(SimilarNames("Mvoies", {"Movies"}, 3), Names{"Movies"}) << "neighbours swapped";
  EXPECT_EQ(SimilarNames("abc", {"abd", "axy"}, 3), Names{"abd"});
  EXPECT_EQ(SimilarNames("ab", {"ac", "ab"}, 3), Names{"ab"}) << "too short for an edit";
  EXPECT_EQ(SimilarNames("Telemetry", {"Tlmetry", "Tmetri"}, 3), Names{"Tlmetry"});
  EXPECT_EQ(SimilarNames("abcd", {"bacd", "badc"}, 3), Names{"bacd"});
}

TEST(SimilarNamesTest, ContainedNames) {
  EXPECT_EQ(SimilarNames("Orders", {"ArchiveOfOrders2024", "Or"}, 3), Names{"ArchiveOfOrders2024"});
  EXPECT_EQ(SimilarNames("ArchiveOfOrders2024", {"orders", "x", ""}, 3), Names{"orders"});
}

TEST(SimilarNamesTest, NothingSimilar) {
  EXPECT_EQ(SimilarNames("Movies", {"Customers", "Zebra"}, 3), Names{});
  EXPECT_EQ(SimilarNames("Movies", {}, 3), Names{});
  EXPECT_EQ(SimilarNames("", {"Movies"}, 3), Names{});
}

TEST(SimilarNamesTest, OtherLetters) {
  EXPECT_EQ(SimilarNames("Stra\xC3\x9F"
                         "en",
                         {"Strasen"}, 3),
            Names{"Strasen"});
}

}  // namespace
}  // namespace aztables
