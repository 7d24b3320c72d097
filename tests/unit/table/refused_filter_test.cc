// Checks what happens where a service does not take the comparisons of properties: the page is
// asked for again without them, at once, and everything else stays as it was.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "support/scripted_client.h"
#include "table/page_stream.h"

namespace aztables {
namespace {

using support::ErrorResponse;
using support::MakeResponse;
using support::ScriptedClient;

constexpr char kOne[] = R"({"value":[{"PartitionKey":"p","RowKey":"1"}]})";
constexpr char kTwo[] = R"({"value":[{"PartitionKey":"p","RowKey":"2"}]})";
constexpr char kThree[] = R"({"value":[{"PartitionKey":"p","RowKey":"3"}]})";

EntityQuery WithProperties() {
  EntityQuery query;
  query.table = "T";
  query.filter = {{"PartitionKey", CompareOp::kEq, Value::String("p")}};
  query.clauses = {
      {{{"N", CompareOp::kEq, Value::Int32(5)}}, {{"N", CompareOp::kEq, Value::Int64(5)}}}};
  return query;
}

constexpr char kAll[] = "PartitionKey eq 'p' and (N eq 5 or N eq 5L)";
constexpr char kKeys[] = "PartitionKey eq 'p'";

struct Reader {
  explicit Reader(std::vector<Outcome> outcomes, EntityQuery query = WithProperties())
      : s(std::move(outcomes)) {
    s.options.retries = 1;
    stream.emplace(&s.client, std::move(query), Projection(), 0, s.options);
  }
  Status Next() { return stream->NextPage(s.cancel).status(); }
  std::vector<std::string> Filters() const {
    std::vector<std::string> filters;
    for (const Request& request : s.transport.requests()) filters.push_back(request.label.filter);
    return filters;
  }

  ScriptedClient s;
  std::optional<PageStream> stream;
};

using Filters = std::vector<std::string>;

TEST(RefusedFilterTest, IsAskedAgainWithoutTheProperties) {
  for (const Response& refusal :
       {ErrorResponse(400, "InvalidInput", "types"), ErrorResponse(501, "NotImplemented", "this"),
        MakeResponse(400), MakeResponse(501), MakeResponse(500, "", "")}) {
    Reader reader({refusal, MakeResponse(200, kOne)});
    EXPECT_TRUE(reader.Next().ok()) << refusal.status;
    EXPECT_TRUE(reader.stream->filter_refused());
    EXPECT_EQ(reader.Filters(), (Filters{kAll, kKeys})) << "at once, without a retry";
    EXPECT_EQ(reader.stream->page().size(), 1U);
  }
}

TEST(RefusedFilterTest, IsNotRefusedByOtherFailures) {
  for (const Response& failure :
       {ErrorResponse(403, "AuthorizationFailure", "not you"),
        ErrorResponse(404, "TableNotFound", "?"), ErrorResponse(409, "TableBeingDeleted", "?"),
        ErrorResponse(412, "X", "?"), MakeResponse(200, "no JSON")}) {
    Reader reader({failure, MakeResponse(200, kOne)});
    EXPECT_FALSE(reader.Next().ok());
    EXPECT_FALSE(reader.stream->filter_refused());
    EXPECT_EQ(reader.Filters(), Filters{kAll});
  }
}

TEST(RefusedFilterTest, A500ThatSaysWhyIsRetried) {
  Reader reader({ErrorResponse(500, "InternalError", "later"), MakeResponse(200, kOne)});
  EXPECT_TRUE(reader.Next().ok());
  EXPECT_FALSE(reader.stream->filter_refused());
  EXPECT_EQ(reader.Filters(), (Filters{kAll, kAll}));
  Reader for_ever({ErrorResponse(500, "InternalError", "later"),
                   ErrorResponse(500, "InternalError", "later"), MakeResponse(200, kOne)});
  EXPECT_EQ(for_ever.Next().code(), Code::kBusy);
  EXPECT_FALSE(for_ever.stream->filter_refused());
  EXPECT_EQ(for_ever.Filters(), (Filters{kAll, kAll}));
}

TEST(RefusedFilterTest, A500ThatSaysWhyInAHeaderIsRetried) {
  Response failure = MakeResponse(500, "", "");
  failure.headers.Add("x-ms-error-code", "InternalError");
  Reader reader({failure, MakeResponse(200, kOne)});
  EXPECT_TRUE(reader.Next().ok());
  EXPECT_FALSE(reader.stream->filter_refused());
  EXPECT_EQ(reader.Filters(), (Filters{kAll, kAll}));
}

TEST(RefusedFilterTest, Bare500sWithoutPropertiesAreRetried) {
  EntityQuery query = WithProperties();
  query.clauses.clear();
  Reader reader({MakeResponse(500, "", ""), MakeResponse(200, kOne)}, query);
  EXPECT_TRUE(reader.Next().ok());
  EXPECT_FALSE(reader.stream->filter_refused());
  EXPECT_EQ(reader.Filters(), (Filters{kKeys, kKeys}));
}

TEST(RefusedFilterTest, OtherPassingFailuresAreRetried) {
  for (const int status : {429, 503}) {
    Reader reader({MakeResponse(status, "", ""), MakeResponse(200, kOne)});
    EXPECT_TRUE(reader.Next().ok());
    EXPECT_FALSE(reader.stream->filter_refused());
    EXPECT_EQ(reader.Filters(), (Filters{kAll, kAll})) << status;
  }
}

TEST(RefusedFilterTest, WhatIsRefusedWithoutThemIsAnError) {
  Reader reader({ErrorResponse(400, "InvalidInput", "types"),
                 ErrorResponse(400, "InvalidInput", "keys"), MakeResponse(200, kOne)});
  const Status status = reader.Next();
  EXPECT_NE(status.message().find("keys"), std::string_view::npos) << status.message();
  EXPECT_EQ(reader.Filters(), (Filters{kAll, kKeys}));
  EntityQuery query = WithProperties();
  query.clauses.clear();
  Reader without({ErrorResponse(400, "InvalidInput", "keys"), MakeResponse(200, kOne)}, query);
  EXPECT_FALSE(without.Next().ok());
  EXPECT_FALSE(without.stream->filter_refused());
}

TEST(RefusedFilterTest, IsBlamedOnlyWhereItWasTheFilter) {
  Reader reader({ErrorResponse(400, "InvalidInput", "this"),
                 ErrorResponse(503, "ServerBusy", "later"),
                 ErrorResponse(503, "ServerBusy", "later")});
  EXPECT_EQ(reader.Next().code(), Code::kBusy);
  EXPECT_FALSE(reader.stream->filter_refused());
}

TEST(RefusedFilterTest, AlternativesOfKeysStay) {
  EntityQuery query = WithProperties();
  const Disjunction rows = {{{"RowKey", CompareOp::kEq, Value::String("1")}},
                            {{"RowKey", CompareOp::kEq, Value::String("2")}}};
  query.clauses.insert(query.clauses.begin(), rows);
  Reader reader({MakeResponse(501), MakeResponse(200, kOne)}, query);
  EXPECT_TRUE(reader.Next().ok());
  const std::string keys = std::string(kKeys) + " and (RowKey eq '1' or RowKey eq '2')";
  EXPECT_EQ(reader.Filters(), (Filters{keys + " and (N eq 5 or N eq 5L)", keys}));
  query.clauses = {rows};
  Reader alone({MakeResponse(501), MakeResponse(200, kOne)}, query);
  EXPECT_FALSE(alone.Next().ok());
  EXPECT_EQ(alone.Filters(), Filters{keys});
}

TEST(RefusedFilterTest, TheOtherPagesGoWithoutThemToo) {
  Response first = MakeResponse(200, kOne);
  first.headers.Add("x-ms-continuation-NextPartitionKey", "a");
  Response second = MakeResponse(200, kTwo);
  second.headers.Add("x-ms-continuation-NextPartitionKey", "b");
  Reader reader({first, MakeResponse(501), second, MakeResponse(200, kThree)});
  for (int page = 0; page < 3; ++page) ASSERT_TRUE(reader.Next().ok());
  EXPECT_EQ(reader.Filters(), (Filters{kAll, kAll, kKeys, kKeys}));
  EXPECT_TRUE(reader.s.request(1).query.ends_with("NextPartitionKey=a"));
  EXPECT_TRUE(reader.s.request(2).query.ends_with("NextPartitionKey=a")) << "the same page";
  EXPECT_TRUE(reader.s.request(3).query.ends_with("NextPartitionKey=b"));
}

TEST(RefusedFilterTest, WhatWasAskedForAheadIsAskedAgain) {
  Reader reader({MakeResponse(501), MakeResponse(200, kOne)});
  reader.stream->Prefetch(reader.s.cancel);
  EXPECT_TRUE(reader.Next().ok());
  EXPECT_EQ(reader.Filters(), (Filters{kAll, kKeys}));
}

}  // namespace
}  // namespace aztables
