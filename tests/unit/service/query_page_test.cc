// Checks the options of queries, and pages of a small table against all of its rows.
#include "service/handlers/query_page.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/clock.h"
#include "base/encoding.h"
#include "service/handlers/filter_match.h"
#include "unit/service/code_of.h"

namespace aztables {
namespace {

TEST(QueryPageOptionsTest, Top) {
  const struct {
    const char* query;
    size_t top;  // 0: refused
  } kTops[] = {{"", 1000},      {"$top=1", 1},   {"$top=1000", 1000}, {"$top=1001", 0},
               {"$top=0", 0},   {"$top=-1", 0},  {"$top=", 0},        {"$top=x", 0},
               {"$top=1.0", 0}, {"%24top=7", 7}, {"$top=5&$top=6", 5}};
  for (const auto& [query, right] : kTops) {
    const auto top = ReadTop(QueryOptions(query));
    EXPECT_EQ(top.ok() ? *top : 0, right) << query;
    if (!top.ok()) {
      EXPECT_EQ(CodeOf(top.status()), "InvalidInput");
    }
  }
}

TEST(QueryPageOptionsTest, Select) {
  const struct {
    const char* query;
    const char* names;  // joined by "|"; "all", "refused"
  } kSelects[] = {{"", "all"},
                  {"$select=*", "all"},
                  {"$select=A,*", "all"},
                  {"$select=", ""},
                  {"$select=%20", ""},
                  {"$select=A", "A"},
                  {"$select=A,B", "A|B"},
                  {"$select=A,%20B%20", "A|B"},
                  {"$select=B,A,B", "B|A"},
                  {"$select=a,A", "a|A"},
                  {"$select=,A", "refused"},
                  {"$select=A,,B", "refused"},
                  {"$select=\xC3\xA4,_a1", "\xC3\xA4|_a1"},
                  {"$select=A,A@odata.type", "refused"},
                  {"$select=odata.etag", "refused"},
                  {"$select=odata.metadata", "refused"},
                  {"$select=A/B", "refused"},
                  {"$select=1A", "refused"},
                  {"$select=%FF", "refused"}};
  for (const auto& [query, right] : kSelects) {
    const auto select = ReadSelect(QueryOptions(query));
    std::string names = !select.ok() ? "refused" : !*select ? "all" : "";
    if (select.ok() && *select) {
      for (const std::string& name : **select) names += (names.empty() ? "" : "|") + name;
    }
    EXPECT_EQ(names, right) << query;
  }
}

TEST(QueryPageOptionsTest, AtMost255NamesAreSelected) {
  std::string names = "p0";
  for (int i = 1; i < 255; ++i) names += ",p" + std::to_string(i);
  EXPECT_TRUE(ReadSelect(QueryOptions("$select=" + names)).ok());
  EXPECT_EQ(ReadSelect(QueryOptions("$select=" + names + ",q")).status().failure().code,
            "InvalidInput");
}

TEST(QueryPageOptionsTest, Filter) {
  EXPECT_FALSE(ReadFilter(QueryOptions(""))->has_value());
  EXPECT_FALSE(ReadFilter(QueryOptions("$filter="))->has_value());
  EXPECT_FALSE(ReadFilter(QueryOptions("$filter=%20+"))->has_value());
  EXPECT_TRUE(ReadFilter(QueryOptions("$filter=A+eq+1"))->has_value());
  EXPECT_EQ(CodeOf(ReadFilter(QueryOptions("$filter=x")).status()), "InvalidInput");
  EXPECT_EQ(CodeOf(ReadFilter(QueryOptions("$filter=%FF")).status()), "InvalidInput");
}

TEST(QueryPageOptionsTest, Begin) {
  const auto begin = [](const std::string& query) -> std::string {
    const auto read = ReadPageQuery(QueryOptions(query));
    if (!read.ok()) return CodeOf(read.status());
    return read->begin ? read->begin->partition_key + "/" + read->begin->row_key : "none";
  };
  EXPECT_EQ(begin(""), "none");
  EXPECT_EQ(begin("NextPartitionKey=" + EncodeToken("p")), "p/");
  EXPECT_EQ(begin("NextPartitionKey=" + EncodeToken("p") + "&NextRowKey=" + EncodeToken("r>")),
            "p/r>");
  EXPECT_EQ(begin("NextRowKey=" + EncodeToken("r")), "InvalidInput");
  EXPECT_EQ(begin("NextPartitionKey=p"), "InvalidInput");
  EXPECT_EQ(begin("NextPartitionKey=" + EncodeToken("p") + "&NextRowKey=r"), "InvalidInput");
}

class QueryPageTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(store_.Check(true, Cancel()).ok());
    StoreWrite write;
    write.creates = true;
    write.run = [this](StoreTransaction& transaction) {
      AZTABLES_RETURN_IF_ERROR(transaction.connection->Execute(EntityRows::CreateSql(1)));
      EntityRows rows(transaction.connection, 1);
      for (const std::string& pk : kKeys) {
        for (const std::string& rk : kKeys) {
          std::string record;
          AppendRecord(record, "A", Value::String(rk));
          AppendRecord(record, "Key", Value::String(pk));
          const auto done = rows.Insert(transaction, pk, rk, record);
          if (!done.ok()) return done.status();
        }
      }
      return Status();
    };
    StoreWrite* const writes[] = {&write};
    ASSERT_TRUE(store_.Write(writes, Cancel()).ok());
    ASSERT_TRUE(write.failure.ok()) << write.failure.message();
  }

  // The entities of all pages as one text; each page has at most `top`.
  std::string AllPages(const std::string& options, const Access& access, size_t top) {
    const std::string first = options + "&$top=" + std::to_string(top);
    std::string all;
    std::string token;
    for (int pages = 0; pages < 200; ++pages) {
      const auto query = ReadPageQuery(QueryOptions(first + token));
      EXPECT_TRUE(query.ok()) << options << query.status().message();
      NextEntity next;
      std::string page;
      const Status read = store_.Read(Cancel(), [&](StoreConnection& connection) -> Status {
        EntityRows rows(&connection, 1);
        EntityForm form;
        form.metadata = Metadata::kNone;
        form.select = query->select;
        auto result = ReadPage(rows, *query, access, form, PageRules(), Cancel(), page);
        if (!result.ok()) return result.status();
        next = std::move(*result);
        return Status();
      });
      EXPECT_TRUE(read.ok()) << read.message();
      if (!all.empty() && !page.empty()) all += ',';
      all += page;
      if (!next) return all;
      token = "&NextPartitionKey=" + PercentEncode(EncodeToken(next->first)) +
              "&NextRowKey=" + PercentEncode(EncodeToken(*next->second));
    }
    ADD_FAILURE() << "without end: " << options;
    return all;
  }

  // In the service's order.
  const std::vector<std::string> kKeys = {
      "", "a", "aa", "b", "b c", "\xF0\x90\x80\x80", "\xEF\xBF\xBF"};
  Store store_{":memory:", &Clock::System()};
};

// {"PartitionKey":...,"RowKey":...} of the keys that satisfy `wanted`, joined.
template <typename Wanted>
std::string Expected(const std::vector<std::string>& keys, const Wanted& wanted) {
  std::string all;
  for (const std::string& pk : keys) {
    for (const std::string& rk : keys) {
      if (!wanted(pk, rk)) continue;
      StoredEntity entity;
      entity.partition_key = pk;
      entity.row_key = rk;
      EntityForm form;
      form.metadata = Metadata::kNone;
      form.select = std::vector<std::string>{"PartitionKey", "RowKey"};
      if (!all.empty()) all += ',';
      AppendEntity(all, form, entity, false);
    }
  }
  return all;
}

TEST_F(QueryPageTest, PagesOfAnySizeShowEveryRowOnce) {
  const std::string select = "$select=PartitionKey,RowKey";
  const std::string all = Expected(kKeys, [](const auto&, const auto&) { return true; });
  for (const size_t top : {1U, 2U, 3U, 6U, 7U, 8U, 48U, 49U, 50U, 1000U}) {
    EXPECT_EQ(AllPages(select, Access(), top), all) << top;
  }
}

TEST_F(QueryPageTest, RandomFiltersShowWhatMatches) {
  std::mt19937 random(6);
  constexpr const char* kOperators[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  constexpr const char* kNames[] = {"PartitionKey", "RowKey", "A", "Key", "Absent"};
  const auto comparison = [&] {
    return std::string(kNames[random() % 5]) + " " + kOperators[random() % 6] + " '" +
           kKeys[random() % kKeys.size()] + "'";
  };
  for (int i = 0; i < 300; ++i) {
    const std::string filter = "(" + comparison() + (random() % 2 ? " and " : " or ") +
                               comparison() + ")" + (random() % 2 ? " and " : " or ") +
                               (random() % 4 == 0 ? "not " : "") + "(" + comparison() + ")";
    const auto tree = ParseFilter(filter);
    ASSERT_TRUE(tree.ok()) << filter;
    const FilterMatch match(*tree);
    const std::string right = Expected(kKeys, [&](const std::string& pk, const std::string& rk) {
      StoredEntity entity;
      entity.partition_key = pk;
      entity.row_key = rk;
      std::string record;
      AppendRecord(record, "A", Value::String(rk));
      AppendRecord(record, "Key", Value::String(pk));
      EXPECT_TRUE(ReadRecord(record, entity.properties).ok());
      return match.Matches(entity);
    });
    const std::string options = "$select=PartitionKey,RowKey&$filter=" + PercentEncode(filter);
    EXPECT_EQ(AllPages(options, Access(), 1 + random() % 9), right) << filter;
  }
}

TEST_F(QueryPageTest, TheRangeOfASasLimitsWhatIsSeen) {
  std::mt19937 random(8);
  for (int i = 0; i < 300; ++i) {
    Access access;
    access.kind = Access::Kind::kTableSas;
    const auto bound = [&](std::optional<Access::Bound>& which) {
      if (random() % 4 == 0) return;
      which.emplace();
      which->partition_key = kKeys[random() % kKeys.size()];
      if (random() % 3 != 0) which->row_key = kKeys[random() % kKeys.size()];
    };
    bound(access.from);
    bound(access.to);
    const std::string right = Expected(kKeys, [&](const std::string& pk, const std::string& rk) {
      return InKeyRange(access, pk, rk) && rk != "b";
    });
    EXPECT_EQ(
        AllPages("$select=PartitionKey,RowKey&$filter=RowKey+ne+'b'", access, 1 + random() % 9),
        right);
  }
}

}  // namespace
}  // namespace aztables
