// Formats a parsed filter as text for tests. Nodes, except for comparisons, have brackets and begin
// with their kind: "[and A eq 1 [not B lt 2]]". A constant is its word.
#pragma once

#include <string>
#include <string_view>

#include "odata/filter_tree.h"

namespace aztables::testing_support {

inline std::string ShowFilter(const FilterNode& node) {
  switch (node.kind) {
    case FilterNode::Kind::kCompare:
      return FilterText({node.comparison});
    case FilterNode::Kind::kConstant:
      return node.constant ? "true" : "false";
    case FilterNode::Kind::kAnd:
    case FilterNode::Kind::kOr:
    case FilterNode::Kind::kNot:
      break;
  }
  std::string text = node.kind == FilterNode::Kind::kAnd  ? "[and"
                     : node.kind == FilterNode::Kind::kOr ? "[or"
                                                          : "[not";
  for (const FilterNode& child : node.children) text += " " + ShowFilter(child);
  return text + "]";
}

// The tree of `filter`, or its error message.
inline std::string ShowParsed(std::string_view filter) {
  const Result<FilterNode> tree = ParseFilter(filter);
  return tree.ok() ? ShowFilter(*tree) : std::string(tree.status().message());
}

}  // namespace aztables::testing_support
