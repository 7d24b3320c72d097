// Checks reads with separate start and finish: pages and bodies, points, absent entities, and the
// text of property comparisons.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/one_entity.h"
#include "support/scripted_client.h"

namespace aztables {
namespace {

using support::MakeResponse;
using support::OneEntityReply;
using support::PointOf;
using support::ScriptedClient;
using support::ScriptedReply;

TEST(FinishPageTest, APointHasNoOptionsOfPages) {
  ScriptedClient s(OneEntityReply);
  EntityPage page({});
  const auto next = s.client.QueryPage(PointOf("p", "r"), 7, {"a", "b"}, s.options, page, s.cancel);
  ASSERT_TRUE(next.ok());
  EXPECT_FALSE(*next);
  EXPECT_EQ(page.size(), 1U);
  EXPECT_EQ(s.request(0).query, "");
}

TEST(FinishPageTest, AnAbsentEntityIsAnEmptyPage) {
  ScriptedClient s([](const Request&) {
    return ScriptedReply{support::ErrorResponse(404, "ResourceNotFound", "there is none")};
  });
  EntityPage page({});
  std::string body = "before";
  const EntityQuery query = PointOf("p", "r");
  const auto exchange = s.client.StartPage(query, 0, {}, s.options);
  Exchange* const waiting = exchange.get();
  ASSERT_TRUE(s.pipeline->WaitAny({&waiting, 1}, s.cancel).ok());
  PageSequence sequence = s.client.NewSequence();
  const auto next = s.client.FinishPage(query, s.options, *exchange, sequence, page, &body);
  ASSERT_TRUE(next.ok()) << next.status().message();
  EXPECT_FALSE(*next);
  EXPECT_EQ(page.size(), 0U);
  EXPECT_EQ(body, "before");
}

TEST(FinishPageTest, ThePageAndItsBodyAreWhatCame) {
  ScriptedClient s(OneEntityReply);
  EntityPage page({});
  std::string body;
  const EntityQuery query = PointOf("p", "r");
  const auto exchange = s.client.StartPage(query, 0, {}, s.options);
  Exchange* const waiting = exchange.get();
  ASSERT_TRUE(s.pipeline->WaitAny({&waiting, 1}, s.cancel).ok());
  PageSequence sequence = s.client.NewSequence();
  ASSERT_TRUE(s.client.FinishPage(query, s.options, *exchange, sequence, page, &body).ok());
  ASSERT_EQ(page.size(), 1U);
  EXPECT_EQ(page.At(0, EntityPage::kRowKey).view(), "r");
  EXPECT_EQ(body, support::kOneEntity);
}

TEST(FinishPageTest, AlternativesStandBehindTheKeys) {
  ScriptedClient s(OneEntityReply);
  EntityQuery query;
  query.table = "T";
  query.filter = {{"PartitionKey", CompareOp::kEq, Value::String("p")}};
  query.clauses = {
      {{{"N", CompareOp::kEq, Value::Int32(5)}}, {{"N", CompareOp::kEq, Value::Int64(5)}}},
      {{{"S", CompareOp::kGe, Value::String("a")}, {"S", CompareOp::kLt, Value::String("b")}}}};
  EntityPage page({});
  ASSERT_TRUE(s.client.QueryPage(query, 0, {}, s.options, page, s.cancel).ok());
  EXPECT_EQ(s.request(0).label.filter,
            "PartitionKey eq 'p' and (N eq 5 or N eq 5L) and S ge 'a' and S lt 'b'");
}

}  // namespace
}  // namespace aztables
