// Checks the pages of a query: all forms of continuation tokens, empty pages, page sizes, point
// reads, and that pages are not kept.
#include "table/page_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "support/scripted_client.h"

namespace aztables {
namespace {

using support::ErrorResponse;
using support::Everything;
using support::MakeResponse;
using support::ScriptedClient;

constexpr char kNextPartition[] = "x-ms-continuation-NextPartitionKey";
constexpr char kNextRow[] = "x-ms-continuation-NextRowKey";

// A page of entities with these row keys, and the token of the next page.
Response Page(const std::vector<std::string>& row_keys,
              std::optional<std::string> next_partition = std::nullopt,
              std::optional<std::string> next_row = std::nullopt) {
  std::string body = R"({"value":[)";
  for (size_t i = 0; i < row_keys.size(); ++i) {
    body += i == 0 ? "" : ",";
    body += R"({"PartitionKey":"p","RowKey":")" + row_keys[i] + R"("})";
  }
  Response response = MakeResponse(200, body + "]}");
  if (next_partition) response.headers.Add(kNextPartition, *next_partition);
  if (next_row) response.headers.Add(kNextRow, *next_row);
  return response;
}

EntityQuery Point(std::string row_key) {
  EntityQuery query = Everything();
  query.point.emplace("p", std::move(row_key));
  return query;
}

struct Reader {
  explicit Reader(std::vector<Outcome> outcomes, EntityQuery query = Everything(),
                  size_t first_page = 0)
      : s(std::move(outcomes)), stream(&s.client, std::move(query), {}, first_page, s.options) {}

  // The row keys of the next page; nothing at the end.
  std::optional<std::vector<std::string>> Next() {
    const auto more = stream.NextPage(s.cancel);
    status = more.status();
    if (!more.ok() || !*more) {
      EXPECT_EQ(stream.page().size(), 0U);
      return std::nullopt;
    }
    std::vector<std::string> keys;
    for (size_t row = 0; row < stream.page().size(); ++row) {
      keys.emplace_back(stream.page().At(row, EntityPage::kRowKey).view());
    }
    return keys;
  }
  std::vector<std::string> ReadAll() {
    std::vector<std::string> all;
    while (auto keys = Next()) all.insert(all.end(), keys->begin(), keys->end());
    return all;
  }
  size_t requests() const { return s.transport.requests().size(); }

  ScriptedClient s;
  PageStream stream;
  Status status;
};

using RowKeys = std::vector<std::string>;

TEST(PageStreamTest, FollowsBothTokens) {
  Reader reader({Page({"1", "2"}, "1!4!cA--", "1!4!Mw--"), Page({"3"})});
  EXPECT_EQ(reader.ReadAll(), (RowKeys{"1", "2", "3"}));
  EXPECT_TRUE(reader.status.ok());
  ASSERT_EQ(reader.requests(), 2U);
  EXPECT_EQ(reader.s.request(0).query, "");
  EXPECT_EQ(reader.s.request(1).query, "NextPartitionKey=1%214%21cA--&NextRowKey=1%214%21Mw--");
}

TEST(PageStreamTest, AMissingHalfOfTheTokenStaysMissing) {
  Reader row({Page({"1"}, "next"), Page({"2"})});
  EXPECT_EQ(row.ReadAll(), (RowKeys{"1", "2"}));
  EXPECT_EQ(row.s.request(1).query, "NextPartitionKey=next");
  Reader empty({Page({"1"}, "next", ""), Page({"2"})});  // an empty token is an error
  EXPECT_EQ(empty.ReadAll(), (RowKeys{"1", "2"}));
  EXPECT_EQ(empty.s.request(1).query, "NextPartitionKey=next");
  Reader partition({Page({"1"}, std::nullopt, "next"), Page({"2"})});
  EXPECT_EQ(partition.ReadAll(), (RowKeys{"1", "2"}));
  EXPECT_EQ(partition.s.request(1).query, "NextRowKey=next");
}

TEST(PageStreamTest, ATokenMayBeTheEmptyKey) {  // an emulator's for the partition ''
  Reader reader({Page({"1"}, "", "Mg=="), Page({"2"}, "", ""), Page({"3"})});
  EXPECT_EQ(reader.ReadAll(), (RowKeys{"1", "2", "3"}));
  EXPECT_EQ(reader.s.request(1).query, "NextPartitionKey=&NextRowKey=Mg%3D%3D");
  EXPECT_EQ(reader.s.request(2).query, "NextPartitionKey=");
}

TEST(PageStreamTest, NamesOfTheTokensInLowerCase) {
  Response first = MakeResponse(200, R"({"value":[]})");
  first.headers.Add("x-ms-continuation-nextpartitionkey", "a");
  first.headers.Add("X-MS-CONTINUATION-NEXTROWKEY", "b");
  Reader reader({first, Page({"1"})});
  EXPECT_EQ(reader.ReadAll(), RowKeys{"1"});
  EXPECT_EQ(reader.s.request(1).query, "NextPartitionKey=a&NextRowKey=b");
}

TEST(PageStreamTest, EmptyPagesWithATokenAreFollowed) {
  Reader reader({Page({}, "a", "1"), Page({}, "a", "2"), Page({"7"}, "b", "1"), Page({}, "b", "2"),
                 Page({})});
  EXPECT_EQ(reader.Next(), RowKeys{"7"});
  EXPECT_EQ(reader.requests(), 3U);
  EXPECT_EQ(reader.Next(), std::nullopt);
  EXPECT_TRUE(reader.status.ok());
  EXPECT_EQ(reader.requests(), 5U);
  EXPECT_EQ(reader.Next(), std::nullopt) << "the end stays the end";
  EXPECT_EQ(reader.requests(), 5U);
}

// If the budget allows no more entities, a page of one shows whether there are more.
TEST(PageStreamTest, ABudgetAllowsExactlySoManyEntities) {
  for (const RowKeys& last : {RowKeys{}, RowKeys{"3"}}) {
    ScriptedClient s(
        std::vector<Outcome>{Page({"1", "2"}, "a", "1"), Page({}, "a", "2"), Page(last)});
    s.options.budget.spending = std::make_shared<Spending>();
    s.options.budget.limits.max_entities = 2;
    PageStream stream(&s.client, Everything(), {}, 0, s.options);
    EXPECT_TRUE(*stream.NextPage(s.cancel));
    const auto more = stream.NextPage(s.cancel);
    EXPECT_EQ(more.status().code(), last.empty() ? Code::kOk : Code::kBudget);
    EXPECT_EQ(stream.page().size(), 0U);
    EXPECT_EQ(s.request(0).query, "$top=2");
    EXPECT_EQ(s.request(1).query, "$top=1&NextPartitionKey=a&NextRowKey=1");
    EXPECT_EQ(s.request(2).query, "$top=1&NextPartitionKey=a&NextRowKey=2");
  }
}

TEST(PageStreamTest, ATokenThatLeadsToItselfIsRefused) {
  for (const RowKeys& rows : {RowKeys{}, RowKeys{"2"}}) {
    Reader reader({Page({"1"}, "a", "b"), Page(rows, "a", "b"), Page(rows, "a", "b")});
    EXPECT_EQ(reader.Next(), RowKeys{"1"});
    EXPECT_EQ(reader.Next(), std::nullopt);
    EXPECT_FALSE(reader.status.ok());
    EXPECT_NE(reader.status.message().find("reading table T (connection 'demo')"),
              std::string_view::npos)
        << reader.status.message();
    EXPECT_NE(reader.status.message().find("continuation token"), std::string_view::npos);
    EXPECT_EQ(reader.requests(), 2U);
  }
}

TEST(PageStreamTest, ThePageBeforeIsGone) {
  Reader reader({Page({"1"}, "a"), Page({"2"})});
  EXPECT_EQ(reader.requests(), 0U);
  EXPECT_EQ(reader.Next(), RowKeys{"1"});
  EXPECT_EQ(reader.Next(), RowKeys{"2"});
  EXPECT_EQ(reader.stream.page().size(), 1U);
}

// The values of $top; 0 if it is absent.
std::vector<int> Tops(size_t first_page, size_t pages) {
  std::vector<Outcome> outcomes;
  for (size_t i = 0; i < pages; ++i) {
    outcomes.emplace_back(Page({std::to_string(i)}, "t" + std::to_string(i)));
  }
  Reader reader(std::move(outcomes), Everything(), first_page);
  for (size_t i = 0; i < pages; ++i) EXPECT_TRUE(reader.Next());
  std::vector<int> tops;
  for (const Request& request : reader.s.transport.requests()) {
    const size_t at = request.query.find("$top=");
    tops.push_back(at == std::string::npos ? 0 : std::stoi(request.query.substr(at + 5)));
  }
  return tops;
}

TEST(PageStreamTest, EveryPageAsksForTenTimesMore) {
  EXPECT_EQ(Tops(5, 5), (std::vector<int>{5, 50, 500, 0, 0}));
  EXPECT_EQ(Tops(1, 5), (std::vector<int>{1, 10, 100, 0, 0}));
  EXPECT_EQ(Tops(0, 2), (std::vector<int>{0, 0, 0})) << "a page is read ahead";
  EXPECT_EQ(Tops(999, 2), (std::vector<int>{999, 0}));
  EXPECT_EQ(Tops(1000, 2), (std::vector<int>{0, 0})) << "as many as the service gives";
  EXPECT_EQ(Tops(2'000'000, 2), (std::vector<int>{0, 0, 0})) << "the service refuses more";
}

TEST(PageStreamTest, PointReads) {
  Reader found({MakeResponse(200, R"({"PartitionKey":"p","RowKey":"r"})")}, Point("r"), 5);
  EXPECT_EQ(found.Next(), RowKeys{"r"});
  EXPECT_EQ(found.s.request(0).path, "/devstoreaccount1/T(PartitionKey='p',RowKey='r')");
  EXPECT_EQ(found.s.request(0).query, "");
  EXPECT_EQ(found.Next(), std::nullopt);
  EXPECT_TRUE(found.status.ok());
  EXPECT_EQ(found.requests(), 1U);

  Reader missing({ErrorResponse(404, "ResourceNotFound", "The specified resource does not exist.")},
                 Point("r"));
  EXPECT_EQ(missing.Next(), std::nullopt);
  EXPECT_TRUE(missing.status.ok()) << missing.status.message();

  Reader no_table({ErrorResponse(404, "TableNotFound", "The table specified does not exist.")},
                  Point("r"));
  EXPECT_EQ(no_table.Next(), std::nullopt);
  EXPECT_EQ(no_table.status.code(), Code::kNotFound);

  Reader no_service({MakeResponse(404, "<html>Not Found</html>", "text/html")}, Point("r"));
  EXPECT_EQ(no_service.Next(), std::nullopt);
  EXPECT_FALSE(no_service.status.ok()) << "not every 404 says that there is no such entity";
}

TEST(PageStreamTest, APointWithALongAddressIsAQuery) {
  const std::string key(512, 'k');
  Reader reader({Page({}, "p"), Page({key})}, Point(key));
  EXPECT_EQ(reader.Next(), RowKeys{key});
  EXPECT_EQ(reader.s.request(0).path, "/devstoreaccount1/T()");
  EXPECT_TRUE(reader.s.request(1).query.ends_with("&NextPartitionKey=p"));
  EXPECT_EQ(reader.Next(), std::nullopt);
  EXPECT_TRUE(reader.status.ok());
}

TEST(PageStreamTest, AFailedPageCanBeAskedForAgain) {
  Reader reader({Page({"1"}, "a"), ErrorResponse(503, "ServerBusy", "busy"), Page({"2"})});
  EXPECT_EQ(reader.Next(), RowKeys{"1"});
  EXPECT_EQ(reader.Next(), std::nullopt);
  EXPECT_EQ(reader.status.code(), Code::kBusy);
  EXPECT_EQ(reader.Next(), RowKeys{"2"});
  EXPECT_EQ(reader.s.request(2).query, "NextPartitionKey=a");
}

TEST(PageStreamTest, AnInterruptedStreamAsksForNothing) {
  Reader reader({Page({"1"})});
  const auto more = reader.stream.NextPage(Cancel([] { return true; }));
  EXPECT_EQ(more.status().code(), Code::kInterrupt);
  EXPECT_EQ(reader.requests(), 0U);
}

}  // namespace
}  // namespace aztables
