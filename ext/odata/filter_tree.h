// FilterTree: a $filter as a tree, parsed from its text with the full grammar of the Table service:
// comparisons of a property with a literal (either side), the constants true and false, and, or,
// not, parentheses. Source: Microsoft, "Querying tables and entities"; precedence not > and > or;
// operators in lower case.
//
//   or         = and { "or" and }
//   and        = not { "and" not }
//   not        = [ "not" ] ( comparison | constant | "(" or ")" )
//   constant   = "true" | "false"
//   comparison = operand op operand    one of them a property, the other a literal but not null
//
// No word is reserved: where an operand is expected, every name is a property but `not` in front of
// a comparison and the literals true, false, null, NaN and INF; where an operator is expected,
// every name is one. So `and eq 1 and eq eq 2` compares the properties "and" and "eq".
//
// Errors: code() is kError and message() is detail().message, the service's sentence. A syntax
// error
// ("Syntax error at position 7 in 'aaa bbb ccc'.": the UTF-16 code units up to the end of what was
// not expected) goes before what is well formed but no filter (a property alone, two literals). If
// the whole filter is one literal, the sentence asks for a boolean. All
// are 400 "InvalidInput", but functions and arithmetic 501 "NotImplemented".
// Thread rule: values and free functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "odata/filter.h"

namespace aztables {

struct FilterNode {
  enum class Kind : uint8_t { kCompare, kConstant, kAnd, kOr, kNot };
  Kind kind = Kind::kCompare;
  Comparison comparison;             // of kCompare; a literal on the left has been turned over
  bool constant = false;             // of kConstant
  std::vector<FilterNode> children;  // of kAnd, kOr: two or more; of kNot: one
};

// How deep parentheses and `not` may be nested; more is InvalidInput.
inline constexpr int kMaxFilterDepth = 100;

// A blank text is a syntax error: that an empty $filter is no filter, the caller has to know. Text
// that is not valid UTF-8 is InvalidInput.
Result<FilterNode> ParseFilter(std::string_view text);

}  // namespace aztables
