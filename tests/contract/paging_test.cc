// Checks reads in pages against a real table service: number of requests, page sizes, order without
// duplicates, and the selected properties.
#include <string>
#include <vector>

#include "contract_test_base.h"

namespace aztables {
namespace {

class PagingTest : public ContractTest {
 protected:
  // Inserts `count` entities in partitions of 400.
  void Fill(int count) {
    std::vector<Entity> entities;
    for (int i = 0; i < count; ++i) {
      entities.push_back({"p" + std::to_string(i / 400), Padded(i), {}});
      expected_.emplace_back(entities.back().partition_key, entities.back().row_key);
      if (i % 2 == 0) {
        entities.back().properties.push_back({"Even", Value::Int32(i)});
        entities.back().properties.push_back({"Text", Value::String(std::to_string(i))});
      }
    }
    Write(entities);
  }
  static std::string Padded(int i) {
    const std::string digits = std::to_string(i);
    return std::string(6 - digits.size(), '0') + digits;
  }
  std::vector<size_t> PageSizes(size_t first_page) {
    PageStream stream = Stream(Query(), {}, first_page);
    std::vector<size_t> sizes;
    while (true) {
      const auto more = stream.NextPage(cancel_);
      EXPECT_TRUE(more.ok()) << more.status().message();
      if (!more.ok() || !*more) return sizes;
      sizes.push_back(stream.page().size());
    }
  }

  KeyPairs expected_;
};

TEST_F(PagingTest, TwoThousandFiveHundredEntities) {
  Fill(2500);
  const size_t before = requests();
  EXPECT_EQ(Read(Query()), expected_);
  EXPECT_EQ(requests() - before, 3U);
  EXPECT_EQ(PageSizes(0), (std::vector<size_t>{1000, 1000, 500}));
}

TEST_F(PagingTest, PagesGrow) {
  Fill(2500);
  EXPECT_EQ(PageSizes(5), (std::vector<size_t>{5, 50, 500, 1000, 945}));
  EXPECT_EQ(PageSizes(999), (std::vector<size_t>{999, 1000, 501}));
  EXPECT_EQ(PageSizes(1'000'000), (std::vector<size_t>{1000, 1000, 500}));
}

TEST_F(PagingTest, ExactlyOnePage) {
  Fill(1000);
  const size_t before = requests();
  EXPECT_EQ(PageSizes(0), std::vector<size_t>{1000});
  EXPECT_EQ(requests() - before, 1U);
}

TEST_F(PagingTest, FiltersAndTokensTogether) {
  Fill(2500);
  EntityQuery query = Query();
  query.filter = {{"PartitionKey", CompareOp::kGe, Value::String("p1")},
                  {"RowKey", CompareOp::kLt, Value::String(Padded(2000))}};
  const KeyPairs keys = Read(query);
  ASSERT_EQ(keys.size(), 1600U);
  EXPECT_EQ(keys.front(), (std::pair<std::string, std::string>("p1", Padded(400))));
  EXPECT_EQ(keys.back(), (std::pair<std::string, std::string>("p4", Padded(1999))));
}

TEST_F(PagingTest, SelectedPropertiesThatSomeEntitiesLack) {
  // A property sent as null or omitted (Difference::kSelectedButAbsent) is absent.
  Fill(10);
  EntityQuery query = Query();
  query.select = {"PartitionKey", "RowKey", "Even", "Never"};
  PageStream stream = Stream(query, {.properties = {"Even", "Never", "Text"}});
  const auto more = stream.NextPage(cancel_);
  ASSERT_TRUE(more.ok()) << more.status().message();
  const EntityPage& page = stream.page();
  ASSERT_EQ(page.size(), 10U);
  for (size_t row = 0; row < 10; ++row) {
    const Cell& even = page.At(row, EntityPage::kFirstProperty);
    EXPECT_EQ(even.type, row % 2 == 0 ? EdmType::kInt32 : EdmType::kNull);
    EXPECT_EQ(even.integer, row % 2 == 0 ? static_cast<int64_t>(row) : 0);
    EXPECT_EQ(page.At(row, EntityPage::kFirstProperty + 1).type, EdmType::kNull);
    EXPECT_EQ(page.At(row, EntityPage::kFirstProperty + 2).type, EdmType::kNull) << "not selected";
    EXPECT_EQ(page.At(row, EntityPage::kTimestamp).type, EdmType::kNull) << "not selected";
    EXPECT_EQ(page.At(row, EntityPage::kEtag).type, EdmType::kString) << "comes always";
  }
}

TEST_F(PagingTest, APointReadHeedsSelect) {
  Fill(1);
  EntityQuery query = Point("p0", Padded(0));
  query.select = {"PartitionKey", "RowKey", "Text", "Never"};
  PageStream stream = Stream(query, {.properties = {"Even", "Text", "Never"}});
  ASSERT_TRUE(stream.NextPage(cancel_).ok());
  ASSERT_EQ(stream.page().size(), 1U);
  EXPECT_EQ(stream.page().At(0, EntityPage::kFirstProperty).type, EdmType::kNull);
  EXPECT_EQ(stream.page().At(0, EntityPage::kFirstProperty + 1).view(), "0");
  EXPECT_EQ(stream.page().At(0, EntityPage::kFirstProperty + 2).type, EdmType::kNull);
}

TEST_F(PagingTest, TwoStreamsAtOnce) {
  Fill(1500);
  PageStream first = Stream(Query(), {}, 500);
  PageStream second = Stream(Query(), {}, 500);
  ASSERT_TRUE(first.NextPage(cancel_).ok());
  ASSERT_TRUE(second.NextPage(cancel_).ok());
  ASSERT_TRUE(first.NextPage(cancel_).ok());
  EXPECT_EQ(first.page().size(), 1000U);
  EXPECT_EQ(first.page().At(0, EntityPage::kRowKey).view(), Padded(500));
  EXPECT_EQ(second.page().At(0, EntityPage::kRowKey).view(), Padded(0));
}

}  // namespace
}  // namespace aztables
