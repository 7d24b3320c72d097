// FilterTree: a $filter as a tree, parsed from its text with the full grammar of the Table service:
// comparisons of a property with a literal (either side), and, or, not, parentheses.
// Source: Microsoft, "Querying tables and entities"; precedence not > and > or; operators in lower
// case.
//
// Errors: detail().code is "InvalidInput" or, for functions and arithmetic, "NotImplemented";
// detail().message is the service's sentence, "Syntax error at position 7 in 'aaa bbb ccc'."
// Thread rule: values and free functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "aztables/base/status.h"
#include "aztables/odata/filter.h"

namespace aztables {

struct FilterNode {
  enum class Kind : uint8_t { kCompare, kAnd, kOr, kNot };
  Kind kind = Kind::kCompare;
  Comparison comparison;             // of kCompare; a literal on the left has been turned over
  std::vector<FilterNode> children;  // of kAnd, kOr: two or more; of kNot: one
};

// REQUIRES: `text` is not blank (an empty $filter is no filter)
Result<FilterNode> ParseFilter(std::string_view text);

}  // namespace aztables
