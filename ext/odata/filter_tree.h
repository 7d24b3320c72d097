// FilterTree: a $filter as a tree, parsed with the full grammar of the Table service. A filter has
// comparisons of a property with a literal (on either side), true, false, and, or, not, and
// parentheses. Source: Microsoft, "Querying tables and entities"; precedence not > and > or;
// operators in lower case.
//
//   or         = and { "or" and }
//   and        = not { "and" not }
//   not        = [ "not" ] ( comparison | constant | "(" or ")" )
//   constant   = "true" | "false"
//   comparison = operand op operand    one of them a property, the other a literal but not null
//
// No word is reserved. If an operand is expected, every name is a property, except `not` before a
// comparison and the literals true, false, null, NaN and INF. If an operator is expected, every
// name is an operator. So `and eq 1 and eq eq 2` compares the properties "and" and "eq".
//
// Errors: code() is kError and message() is failure().message, the service's sentence.
// A syntax error is "Syntax error at position 7 in 'aaa bbb ccc'.". The position counts UTF-16 code
// units up to the end of the unexpected token. It takes precedence over text that is well formed
// but not a filter (a property alone, two literals). If the whole filter is one literal, the
// sentence asks for a boolean. All are 400 "InvalidInput"; functions and arithmetic are 501
// "NotImplemented".
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
  Comparison comparison;             // of kCompare; a literal on the left was moved to the right
  bool constant = false;             // of kConstant
  std::vector<FilterNode> children;  // of kAnd, kOr: two or more; of kNot: one
};

// The maximum nesting of parentheses and `not`; deeper nesting is InvalidInput.
inline constexpr int kMaxFilterDepth = 100;

// A blank text is a syntax error: the caller must handle an empty $filter, which means no filter.
// Text that is not valid UTF-8 is InvalidInput.
Result<FilterNode> ParseFilter(std::string_view text);

// Whether the filter lets the service read less than the whole table. Every way to satisfy it must
// compare PartitionKey with a text by eq, lt, le, gt or ge; `gt ''` and `ge ''` do not count. If
// ParseFilter() rejects the filter, the result is false, even if a service would
// accept the filter.
bool LimitsPartitionKey(std::string_view filter);

}  // namespace aztables
