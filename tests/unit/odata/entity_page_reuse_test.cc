// Checks that one EntityPage reads many bodies: it keeps its memory, but no values of the last
// body, and its knowledge of names is harmless.
#include <gtest/gtest.h>

#include <string>

#include "odata/entity_page.h"
#include "unit/odata/show_cell.h"

namespace aztables {
namespace {

using testing_support::kFirst;
using testing_support::Show;

TEST(EntityPageReuseTest, ALongNameIsNotSoughtBehindTheEndOfALaterBody) {
  const std::string name(255, 'n');
  std::string escaped;
  for (int i = 0; i < 255; ++i) escaped += "\\u554a";
  for (const std::string& known : {name, escaped}) {
    EntityPage page({{"I"}, false});
    ASSERT_TRUE(page.ReadQuery(R"({"value":[{")" + known + R"(":1},{"I":2}]})").ok());
    EXPECT_EQ(Show(page.At(1, kFirst)), "Edm.Int32 2");
    // The sanitizer reports a comparison outside of the body's small buffer.
    ASSERT_TRUE(page.ReadEntity(R"({"I":3,"Other":"enough to be on the heap"})").ok());
    EXPECT_EQ(Show(page.At(0, kFirst)), "Edm.Int32 3");
    ASSERT_TRUE(page.ReadEntity("{\"" + known.substr(0, 12) + "\":4,\"O\":\"on the heap\"}").ok());
    EXPECT_EQ(Show(page.At(0, kFirst)), "null");
  }
}

TEST(EntityPageReuseTest, ManyBodiesThroughOnePage) {
  EntityPage page({{"A", "B"}, true});
  for (int i = 0; i < 300; ++i) {
    const std::string text(static_cast<size_t>(i * 37 % 5000), static_cast<char>('a' + i % 26));
    std::string body = R"({"value":[)";
    const size_t rows = static_cast<size_t>(i % 7);
    for (size_t row = 0; row < rows; ++row) {
      body += (row == 0 ? "" : ",") + std::string(R"({"A":")") + text + R"(","B@odata.type":)" +
              R"("Edm.Guid","B":"00000000-0000-0000-0000-00000000000)" + std::to_string(row) +
              R"("})";
    }
    ASSERT_TRUE(page.ReadQuery(body + "]}").ok());
    ASSERT_EQ(page.size(), rows);
    for (size_t row = 0; row < rows; ++row) {
      ASSERT_EQ(page.At(row, kFirst).view(), text);
      ASSERT_EQ(Show(page.At(row, kFirst + 1)),
                "Edm.Guid 00000000-0000-0000-0000-00000000000" + std::to_string(row));
    }
    if (i % 10 == 3) {
      ASSERT_FALSE(page.ReadQuery("{").ok());
      ASSERT_EQ(page.size(), 0U);
    }
    if (i % 10 == 7) {
      page.Clear();
      ASSERT_EQ(page.size(), 0U);
    }
  }
}

TEST(EntityPageReuseTest, StringsThatAreAlmostAllOfTheBody) {
  EntityPage used({{"S", "T"}, false});
  for (size_t size = 0; size < 200; ++size) {  // a write after the end damages the heap
    const std::string text(size, 's');
    std::string body = R"({"S":")";
    body.append(text).append(R"(","T":"\\)").append(text).append("\"}");
    EntityPage fresh({{"S", "T"}, false});
    for (EntityPage* page : {&used, &fresh}) {
      ASSERT_TRUE(page->ReadEntity(body).ok());
      EXPECT_EQ(page->At(0, kFirst).view(), text);
      EXPECT_EQ(page->At(0, kFirst + 1).view(), "\\" + text);
    }
  }
}

TEST(EntityPageReuseTest, MoreNamesThanAreKept) {
  EntityPage page({{"Wanted"}, true});
  for (int i = 0; i < 30; ++i) {
    std::string body = R"({"value":[{"Wanted":)" + std::to_string(i);
    for (int k = 0; k < 250; ++k) body += ",\"N" + std::to_string(i * 250 + k) + "\":1";
    ASSERT_TRUE(page.ReadQuery(body + "}]}").ok());
    ASSERT_EQ(Show(page.At(0, kFirst)), "Edm.Int32 " + std::to_string(i));
    ASSERT_NE(page.At(0, EntityPage::kEntity).view().find("\"N" + std::to_string(i * 250 + 249)),
              std::string_view::npos);
  }
}

TEST(EntityPageReuseTest, CellsOfOnePageStayPutWhileAllRowsAreRead) {
  std::string body = R"({"value":[)";
  for (int i = 0; i < 1000; ++i) {
    body += (i == 0 ? "" : ",") + std::string(R"({"A@odata.type":"Edm.DateTime",)") +
            R"("A":"2026-11-02T10:00:00.)" + std::to_string(1000 + i) + R"(Z"})";
  }
  EntityPage page({{"A"}, true});
  ASSERT_TRUE(page.ReadQuery(body + "]}").ok());
  ASSERT_EQ(page.size(), 1000U);
  for (int i = 0; i < 1000; ++i) {
    const auto row = static_cast<size_t>(i);
    const std::string text = "2026-11-02T10:00:00." + std::to_string(1000 + i);
    EXPECT_EQ(page.At(row, kFirst).view(), text + "000Z");
    EXPECT_EQ(page.At(row, EntityPage::kEntity).view(),
              "{\"A@odata.type\":\"Edm.DateTime\",\"A\":\"" + text + "Z\"}");
  }
}

// Cells that are made when they are asked for need the tokens of the page.
TEST(EntityPageReuseTest, AShrunkPageKeepsItsCells) {
  const std::string etag = R"("odata.etag":"W/\"datetime'2026-11-26T10%3A00%3A00Z'\"")";
  const auto body = [&](const std::string& value) {
    return R"({"value":[{)" + etag + R"(,"PartitionKey":"p","RowKey":"r","A":")" + value +
           R"("}]})";
  };
  EntityPage waiting({{"A"}, true});
  ASSERT_TRUE(waiting.ReadQuery(body("waits")).ok());
  waiting.Shrink(0, waiting.size());
  waiting.Shrink(0, waiting.size());
  EntityPage next({{"A"}, true});
  ASSERT_TRUE(next.ReadQuery(body("comes next, and is longer")).ok());
  EXPECT_EQ(waiting.At(0, EntityPage::kEntity).view(), R"({"A":"waits"})");
  EXPECT_EQ(waiting.At(0, EntityPage::kEtag).view(), next.At(0, EntityPage::kEtag).view());
  EXPECT_EQ(next.At(0, EntityPage::kEntity).view(), R"({"A":"comes next, and is longer"})");

  waiting.Clear();
  waiting.Shrink(0, waiting.size());
  EXPECT_EQ(waiting.size(), 0U);
  ASSERT_TRUE(waiting.ReadQuery(body("again")).ok());
  EXPECT_EQ(waiting.At(0, EntityPage::kEntity).view(), R"({"A":"again"})");
}

// Without `_entity`, it keeps only the cells of some rows, and what ETag and Timestamp are made of.
TEST(EntityPageReuseTest, AShrunkPageWithoutEntities) {
  const std::string body = R"({"value":[
      {"PartitionKey":"p","RowKey":"0","Timestamp":"2026-11-26T10:00:00Z","A":"gone"},
      {"odata.etag":"W/\"1\"","PartitionKey":"p","RowKey":"1","Timestamp":"2026-11-26T10:00:00Z","A":"a"},
      {"PartitionKey":"\u0070","RowKey":"2","A":1, "B" : ""},
      {"PartitionKey":"p","RowKey":"3","Timestamp":"2026-11-26T11:00:00Z" , "odata.etag" : "2" },
      {"odata.etag":"gone","PartitionKey":"p","RowKey":"4"}]})";
  EntityPage page({{"A", "B"}, false});
  ASSERT_TRUE(page.ReadQuery(body).ok());
  page.Shrink(1, 4);
  const auto text = [&](size_t row, size_t column) { return page.At(row, column).view(); };
  EXPECT_EQ(text(3, EntityPage::kEtag), "2");
  page.Shrink(1, 4);
  page.Shrink(1, 4);
  EXPECT_EQ(page.size(), 5U);
  EXPECT_EQ(text(1, EntityPage::kEtag), "W/\"1\"");
  EXPECT_EQ(text(1, EntityPage::kTimestamp), "2026-11-26T10:00:00.0000000Z");
  EXPECT_EQ(text(1, EntityPage::kFirstProperty), "a");
  EXPECT_EQ(page.At(2, EntityPage::kEtag).type, EdmType::kNull);
  EXPECT_EQ(page.At(2, EntityPage::kTimestamp).type, EdmType::kNull);
  EXPECT_EQ(text(2, EntityPage::kPartitionKey), "p");
  EXPECT_EQ(page.At(2, EntityPage::kFirstProperty).integer, 1);
  EXPECT_EQ(page.At(2, EntityPage::kFirstProperty + 1).type, EdmType::kString);
  EXPECT_EQ(text(2, EntityPage::kFirstProperty + 1), "");
  EXPECT_EQ(text(3, EntityPage::kRowKey), "3");
  EXPECT_EQ(text(3, EntityPage::kTimestamp), "2026-11-26T11:00:00.0000000Z");
  EXPECT_EQ(text(3, EntityPage::kEtag), "2");
  for (const size_t row : {0U, 4U}) {
    for (size_t column = 0; column < EntityPage::kFirstProperty; ++column) {
      EXPECT_EQ(page.At(row, column).type, EdmType::kNull) << row << ", " << column;
    }
  }
  ASSERT_TRUE(page.ReadQuery(body).ok());
  EXPECT_EQ(text(4, EntityPage::kRowKey), "4");
}

}  // namespace
}  // namespace aztables
