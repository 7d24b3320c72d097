// Filters that the service refuses: the message and its position.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "odata/filter_tree.h"
#include "unit/odata/show_filter.h"

namespace aztables {
namespace {

using testing_support::ShowParsed;

constexpr const char* kNotValid = "One of the request inputs is not valid.";

void ExpectRefused(std::string_view filter, int http_status, std::string_view code,
                   std::string_view sentence) {
  const auto tree = ParseFilter(filter);
  ASSERT_FALSE(tree.ok()) << filter;
  const Status status = tree.status();
  EXPECT_EQ(status.code(), Code::kError) << filter;
  EXPECT_EQ(status.message(), sentence) << filter;
  EXPECT_EQ(status.failure().http_status, http_status) << filter;
  EXPECT_EQ(status.failure().code, code) << filter;
  EXPECT_EQ(status.failure().message, sentence) << filter;
}

TEST(FilterErrorTest, AsRecorded) {
  ExpectRefused("aaa bbb ccc", 400, "InvalidInput", "Syntax error at position 7 in 'aaa bbb ccc'.");
}

TEST(FilterErrorTest, PositionsOfSyntaxErrors) {
  const std::pair<const char*, int> kCases[] = {
      {"", 0},
      {"   ", 3},
      {"A eq", 4},
      {"A eq ", 5},
      {"A eq 1 and", 10},
      {"A eq 1 and ", 11},
      {"A eq 1 or", 9},
      {"not", 3},
      {"not ", 4},
      {"not not A eq 1", 7},
      {"(A eq 1", 7},
      {"A eq 1)", 7},
      {"()", 2},
      {"( )", 3},
      {")", 1},
      {"eq 1", 4},
      {"A EQ 1", 4},
      {"A Eq 1", 4},
      {"A eq 1 AND B eq 2", 10},
      {"NOT A eq 1", 5},
      {"A eq 1 B", 8},
      {"A eq 1 2", 8},
      {"A eq 1 'a b'", 12},
      {"A eq eq 1", 9},
      {"A eq not", 8},
      {"A eq (1)", 6},
      {"(A) eq 1", 6},
      {"(A eq 1) eq true", 11},
      {"A eq 1 eq 2", 9},
      {"A = 1", 3},
      {"A == 1", 3},
      {"A eq 1 && B eq 2", 8},
      {"A eq 1, B eq 2", 7},
      {"A eq \"a\"", 6},
      {"A eq 'a", 7},
      {"A eq 'a''", 9},
      {"A eq '", 6},
      {"A eq guid'5", 11},
      {"A eq x'00'", 10},  // a property, and then a text
      {"A eq Guid'x'", 12},
      {"A eq time'PT1S'", 15},
      {"A eq 30l", 8},
      {"A eq 30LL", 9},
      {"A eq 5x", 7},
      {"A eq 1.", 7},
      {"A eq 1.L", 8},
      {"A eq 1.5L", 9},
      {"A eq 1.5f", 9},
      {"A eq 1.5.2", 10},
      {"A eq 1e", 7},
      {"A eq 1e+", 7},
      {"A eq .5", 6},
      {"A eq -", 6},
      {"A eq -A", 6},
      {"A eq - 1", 6},
      {"A eq +1", 6},
      {"A eq -INFx", 6},
      {"A/B eq 1", 2},
      {"$A eq 1", 1},
      {"1A eq 1", 2},
      // A syntax error takes precedence over an error of meaning.
      {"A and B eq C and (", 18},
      // UTF-16 code units: one for U+00E4, two for U+1F600.
      {"\xC3\xA4 eq", 4},
      {"A eq '\xF0\x9F\x98\x80' x", 11},
  };
  for (const auto& [filter, position] : kCases) {
    ExpectRefused(filter, 400, "InvalidInput",
                  "Syntax error at position " + std::to_string(position) + " in '" + filter + "'.");
  }
}

TEST(FilterErrorTest, WellFormedButNoFilter) {
  for (const char* filter : {
           "A",
           "(A)",
           "not A",
           "not (A)",
           "A and B eq 1",
           "B eq 1 or A",
           "or",
           "and and and",
           "null",
           "not 5",
           "not 'a'",
           "true and 5",
           "5 or A eq 1",
           "true and A",
           "A eq B",
           "PartitionKey eq RowKey",
           "1 eq 1",
           "'a' eq 'PartitionKey'",
           "true eq false",
           "A eq null",
           "null ne A",
           "null eq null",
           "A eq 1 and (B eq C)",
           "A eq '\xC3'",  // invalid UTF-8
           "\xFF eq 1",
           "\xFF",
       }) {
    ExpectRefused(filter, 400, "InvalidInput", kNotValid);
  }
}

TEST(FilterErrorTest, OneLiteralThatIsNoBoolean) {
  for (const char* filter : {"1", "5L", "1.5", "NaN", "'a'", "(1)", "(('true'))", "X'00'"}) {
    ExpectRefused(filter, 400, "InvalidInput",
                  "The $filter expression must evaluate to a single boolean value.");
  }
}

TEST(FilterErrorTest, FunctionsAndArithmetic) {
  for (const char* filter : {
           "startswith(RowKey, 'a')",
           "startswith(RowKey,'a') eq true",
           "substringof('a', RowKey)",
           "substringof ('a', RowKey)",
           "PartitionKey eq 'a' and startswith(RowKey, 'a')",
           "not startswith(RowKey, 'a')",
           "length(RowKey) gt 5",
           "5 lt length(RowKey)",
           "tolower(",
           "A add 1 eq 2",
           "A sub 1 eq 2",
           "A mul 1 eq 2",
           "A div 1 eq 2",
           "A mod 2 eq 0",
           "A eq 1 add 1",
           "A eq B mod 2",
           "1 add 1 eq A",
       }) {
    ExpectRefused(filter, 501, "NotImplemented",
                  "The requested operation is not implemented on the specified resource.");
  }
}

TEST(FilterErrorTest, UnrecognizedLiterals) {
  struct Case {
    const char* literal;
    const char* type;
  };
  const Case kCases[] = {
      {"2147483648", "Edm.Int32"},
      {"-2147483649", "Edm.Int32"},
      {"99999999999", "Edm.Int32"},
      {"99999999999999999999999", "Edm.Int32"},
      {"9223372036854775808L", "Edm.Int64"},
      {"-9223372036854775809L", "Edm.Int64"},
      {"1e309", "Edm.Double"},
      {"-1.8E+308", "Edm.Double"},
      {"1e99999999999999999999", "Edm.Double"},
      {"0.1e310", "Edm.Double"},
      {"datetime''", "Edm.DateTime"},
      {"datetime'yesterday'", "Edm.DateTime"},
      {"datetime'2023-02-29T00:00:00Z'", "Edm.DateTime"},
      {"datetime'1600-12-31T23:59:59.9999999Z'", "Edm.DateTime"},
      {"datetime'10000-01-01'", "Edm.DateTime"},
      {"guid''", "Edm.Guid"},
      {"guid'it''s'", "Edm.Guid"},
      {"guid'c9da6455213d42c99a793e9149a57833'", "Edm.Guid"},
      {"guid'{c9da6455-213d-42c9-9a79-3e9149a57833}'", "Edm.Guid"},
      {"guid'c9da6455-213d-42c9-9a79-3e9149a5783g'", "Edm.Guid"},
      {"X'0'", "Edm.Binary"},
      {"X'0g'", "Edm.Binary"},
      {"X'-1'", "Edm.Binary"},
      {"X'0x'", "Edm.Binary"},
      {"X' 1'", "Edm.Binary"},
      {"binary'012'", "Edm.Binary"},
  };
  for (const auto& [literal, type] : kCases) {
    for (const std::string before : {"\xC3\xA4 eq ", "A eq ", "Rating gt "}) {
      const std::string filter = before + literal;
      const size_t position = before.size() - (before[0] == '\xC3' ? 1 : 0);
      ExpectRefused(filter, 400, "InvalidInput",
                    std::string("Unrecognized '") + type + "' literal '" + literal +
                        "' at position '" + std::to_string(position) + "' in '" + filter + "'.");
    }
  }
  EXPECT_EQ(ShowParsed("Large gt 99999999999"),
            "Unrecognized 'Edm.Int32' literal '99999999999' at position '9' in "
            "'Large gt 99999999999'.");
  EXPECT_EQ(ShowParsed("99999999999 lt A"),
            "Unrecognized 'Edm.Int32' literal '99999999999' at position '0' in "
            "'99999999999 lt A'.");
}

}  // namespace
}  // namespace aztables
