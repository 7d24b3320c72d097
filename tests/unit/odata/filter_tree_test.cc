// Checks parsed filters: precedence, names, depth and length, and that any text is either a tree or
// an error.
#include "odata/filter_tree.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/limits.h"
#include "support/rounds.h"
#include "unit/odata/show_filter.h"

namespace aztables {
namespace {

using testing_support::ShowParsed;

using Case = std::pair<std::string, std::string>;  // filter, its tree

void ExpectTrees(const std::vector<Case>& cases) {
  for (const auto& [filter, tree] : cases) EXPECT_EQ(ShowParsed(filter), tree) << filter;
}

TEST(FilterTreeTest, Operators) {
  ExpectTrees({
      {"A eq 1", "A eq 1"},
      {"A ne 1", "A ne 1"},
      {"A lt 1", "A lt 1"},
      {"A le 1", "A le 1"},
      {"A gt 1", "A gt 1"},
      {"A ge 1", "A ge 1"},
      // Swapped.
      {"1 eq A", "A eq 1"},
      {"1 ne A", "A ne 1"},
      {"1 lt A", "A gt 1"},
      {"1 le A", "A ge 1"},
      {"1 gt A", "A lt 1"},
      {"1 ge A", "A le 1"},
      {"true eq A", "A eq true"},
      {"'b' ge A", "A le 'b'"},
  });
}

TEST(FilterTreeTest, Precedence) {
  ExpectTrees({
      {"A eq 1 and B eq 2", "[and A eq 1 B eq 2]"},
      {"A eq 1 or B eq 2", "[or A eq 1 B eq 2]"},
      {"A eq 1 and B eq 2 and C eq 3", "[and A eq 1 B eq 2 C eq 3]"},
      {"A eq 1 or B eq 2 or C eq 3", "[or A eq 1 B eq 2 C eq 3]"},
      {"A eq 1 or B eq 2 and C eq 3", "[or A eq 1 [and B eq 2 C eq 3]]"},
      {"A eq 1 and B eq 2 or C eq 3", "[or [and A eq 1 B eq 2] C eq 3]"},
      {"A eq 1 and B eq 2 or C eq 3 and D eq 4", "[or [and A eq 1 B eq 2] [and C eq 3 D eq 4]]"},
      {"(A eq 1 or B eq 2) and C eq 3", "[and [or A eq 1 B eq 2] C eq 3]"},
      {"A eq 1 and (B eq 2 or C eq 3)", "[and A eq 1 [or B eq 2 C eq 3]]"},
      {"(A eq 1 and B eq 2) and C eq 3", "[and [and A eq 1 B eq 2] C eq 3]"},
      {"not A eq 1", "[not A eq 1]"},
      {"not (A eq 1)", "[not A eq 1]"},
      {"not A eq 1 and B eq 2", "[and [not A eq 1] B eq 2]"},
      {"not A eq 1 or B eq 2", "[or [not A eq 1] B eq 2]"},
      {"A eq 1 or not B eq 2 and C eq 3", "[or A eq 1 [and [not B eq 2] C eq 3]]"},
      {"not (A eq 1 and B eq 2)", "[not [and A eq 1 B eq 2]]"},
      {"not (not (A eq 1))", "[not [not A eq 1]]"},
      {"(PartitionKey eq 'p') and (not (RowKey eq '0001'))",
       "[and PartitionKey eq 'p' [not RowKey eq '0001']]"},
      {"((A eq 1))", "A eq 1"},
  });
}

TEST(FilterTreeTest, Constants) {
  ExpectTrees({
      {"true", "true"},
      {"false", "false"},
      {" ( ( false ) ) ", "false"},
      {"not true", "[not true]"},
      {"not (false)", "[not false]"},
      {"(true and RowKey eq '1') or false", "[or [and true RowKey eq '1'] false]"},
      {"true and A eq 1", "[and true A eq 1]"},
      {"A eq 1 or not false and true", "[or A eq 1 [and [not false] true]]"},
      {"true eq A or true", "[or A eq true true]"},
      {"(true)and(false)", "[and true false]"},
  });
}

TEST(FilterTreeTest, Blanks) {
  ExpectTrees({
      {"  A  eq\t1  ", "A eq 1"},
      {"\r\nA\neq\r1\r\n", "A eq 1"},
      {"(A eq 1)and(B eq 2)or(C eq 3)", "[or [and A eq 1 B eq 2] C eq 3]"},
      {"not(A eq 1)", "[not A eq 1]"},
      {" ( ( A eq 1 ) ) ", "A eq 1"},
      {"A eq'x'and B eq'y'", "[and A eq 'x' B eq 'y']"},
      {"'x'eq A", "A eq 'x'"},
  });
}

TEST(FilterTreeTest, NamesOfProperties) {
  ExpectTrees({
      {"_ eq 1", "_ eq 1"},
      {"a_1B2 eq 1", "a_1B2 eq 1"},
      {"\xC3\xA4rger eq 1", "\xC3\xA4rger eq 1"},
      {"\xE6\x97\xA5 eq 1", "\xE6\x97\xA5 eq 1"},
      {"datetime eq 1", "datetime eq 1"},
      {"X eq 1", "X eq 1"},
      {"guid eq guid'c9da6455-213d-42c9-9a79-3e9149a57833'",
       "guid eq guid'c9da6455-213d-42c9-9a79-3e9149a57833'"},
      {"True eq 1", "True eq 1"},
      {"Active eq True and Gone ne FALSE", "[and Active eq true Gone ne false]"},
      {"nan eq 1 and inf eq 2 and Null eq 3", "[and nan eq 1 inf eq 2 Null eq 3]"},
      {"notA eq 1", "notA eq 1"},
      // Only `not` and the literals are reserved in the place of a property.
      {"eq eq 1", "eq eq 1"},
      {"1 eq eq", "eq eq 1"},
      {"and eq 1 and or eq 2 or add eq 3", "[or [and and eq 1 or eq 2] add eq 3]"},
      {"not not1 eq 1", "[not not1 eq 1]"},
  });
  for (const char* filter : {"_ eq 1", "a_1B2 eq 1", "\xC3\xA4rger eq 1"}) {
    const auto tree = ParseFilter(filter);
    ASSERT_TRUE(tree.ok());
    EXPECT_TRUE(IsPropertyName(tree->comparison.property));
  }
}

TEST(FilterTreeTest, DepthIsBounded) {
  const auto nested = [](size_t n, const std::string& open, const std::string& close) {
    std::string filter;
    for (size_t i = 0; i < n; ++i) filter += open;
    filter += "A eq 1";
    for (size_t i = 0; i < n; ++i) filter += close;
    return ParseFilter(filter);
  };
  EXPECT_TRUE(nested(kMaxFilterDepth, "(", ")").ok());
  EXPECT_TRUE(nested(kMaxFilterDepth / 2, "not (", ")").ok());
  const std::pair<size_t, const char*> kTooDeep[] = {{kMaxFilterDepth + 1, "("},
                                                     {kMaxFilterDepth / 2 + 1, "not ("},
                                                     {1'000'000, "("},
                                                     {1'000'000, "not ("}};
  for (const auto& [n, open] : kTooDeep) {
    const auto tree = nested(n, open, ")");
    ASSERT_FALSE(tree.ok()) << n << open;
    EXPECT_EQ(tree.status().failure().code, "InvalidInput");
    EXPECT_EQ(tree.status().failure().http_status, 400);
    EXPECT_LT(tree.status().message().size(), 100U);
  }
}

TEST(FilterTreeTest, LengthIsNot) {
  constexpr size_t kCount = 100'000;
  for (const std::string word : {" and ", " or "}) {
    std::string filter = "A eq 1";
    for (size_t i = 1; i < kCount; ++i) filter += word + "A eq 1";
    const auto tree = ParseFilter(filter);
    ASSERT_TRUE(tree.ok());
    EXPECT_EQ(tree->kind, word == " and " ? FilterNode::Kind::kAnd : FilterNode::Kind::kOr);
    EXPECT_EQ(tree->children.size(), kCount);
  }
  std::string mixed = "A eq 1";
  for (size_t i = 1; i < kCount; ++i) mixed += i % 2 == 0 ? " or A eq 1" : " and (A eq 1)";
  const auto tree = ParseFilter(mixed);
  ASSERT_TRUE(tree.ok());
  EXPECT_EQ(tree->children.size(), kCount / 2);
  const std::string text(1'000'000, '\'');  // 499,999 quotes, quoted
  const auto quotes = ParseFilter("A eq " + text);
  ASSERT_TRUE(quotes.ok());
  EXPECT_EQ(quotes->comparison.literal, Value::String(std::string(499'999, '\'')));
}

Value RandomValue(std::mt19937& random) {
  switch (random() % 8) {
    case 0: {
      std::string text;
      for (size_t n = random() % 6; n > 0; --n) text += random() % 2 == 0 ? "\xC3\xA4" : "'";
      return Value::String(text + std::string("ab' ()\"%").substr(random() % 8));
    }
    case 1:
      return Value::Int32(static_cast<int32_t>(random()));
    case 2:
      return Value::Int64(static_cast<int64_t>((uint64_t{random()} << 32) | random()));
    case 3:
      return Value::Double((static_cast<double>(static_cast<int32_t>(random()))) /
                           static_cast<double>(1 + random() % 1000));
    case 4:
      return Value::Boolean(random() % 2 == 0);
    case 5:
      return Value::DateTime("2024-02-29T12:34:56.1234567Z");
    case 6:
      return Value::Guid("c9da6455-213d-42c9-9a79-3e9149a57833");
    default:
      return Value::Binary(std::string(random() % 4, static_cast<char>(random())));
  }
}

TEST(FilterTreeTest, WrittenFiltersReadBack) {
  constexpr CompareOp kOps[] = {CompareOp::kEq, CompareOp::kLt, CompareOp::kLe,
                                CompareOp::kGt, CompareOp::kGe, CompareOp::kNe};
  std::mt19937 random(5);
  for (int i = 0; i < 5'000; ++i) {
    Conjunction written;
    for (size_t n = 1 + random() % 5; n > 0; --n) {
      written.push_back(
          {"P" + std::to_string(random() % 100), kOps[random() % 6], RandomValue(random)});
    }
    const std::string text = FilterText(written);
    const auto tree = ParseFilter(text);
    ASSERT_TRUE(tree.ok()) << text;
    ASSERT_EQ(tree->kind == FilterNode::Kind::kAnd, written.size() > 1) << text;
    ASSERT_EQ(tree->children.size(), written.size() > 1 ? written.size() : 0) << text;
    for (size_t n = 0; n < written.size(); ++n) {
      const FilterNode& node = written.size() > 1 ? tree->children[n] : *tree;
      ASSERT_EQ(node.comparison.property, written[n].property) << text;
      ASSERT_EQ(node.comparison.op, written[n].op) << text;
      ASSERT_EQ(node.comparison.literal, written[n].literal) << text;
    }
  }
}

TEST(FilterTreeTest, AnyTextIsATreeOrAnError) {
  const std::string kSeeds[] = {
      "(PartitionKey eq 'p''q' and not (Rating gt 4.5e-3)) or Seen le -30L or 5 lt A",
      "D ge datetime'2024-02-29T00:00:00Z' and G ne guid'c9da6455-213d-42c9-9a79-3e9149a57833'",
      "B eq X'0A1F' or binary'00' eq B and T eq true and N lt NaN and I gt -INF",
  };
  constexpr std::string_view kPieces[] = {"(",  ")",     "'",     "''",   " and ", " or ", "not ",
                                          "eq", "null",  "-",     "1e",   ".",     "L",    "\xC3",
                                          " ",  "X'",    "guid'", "9999", "e999",  "add",  "\xA4",
                                          ",",  "true ", "\n",    "_",    "/",     "INF",  "$"};
  std::mt19937 random(7);
  int parsed = 0;
  for (int i = 0; i < support::Rounds(60'000); ++i) {
    std::string filter = kSeeds[i % 3];
    for (size_t n = 1 + random() % 4; n > 0; --n) {
      const size_t at = random() % (filter.size() + 1);
      if (random() % 2 == 0) {
        filter.insert(at, kPieces[random() % std::size(kPieces)]);
      } else if (random() % 8 == 0) {
        filter.insert(at, 1, static_cast<char>(random()));
      } else {
        filter.erase(at, random() % 6);
      }
    }
    const auto tree = ParseFilter(filter);
    if (tree.ok()) {
      ++parsed;
      continue;
    }
    ASSERT_EQ(tree.status().code(), Code::kError) << filter;
    ASSERT_EQ(tree.status().message(), tree.status().failure().message) << filter;
    ASSERT_EQ(tree.status().failure().http_status,
              tree.status().failure().code == "NotImplemented" ? 501 : 400)
        << filter;
  }
  EXPECT_GT(parsed, support::Rounds(1'000));
}

}  // namespace
}  // namespace aztables
