// Raw filters: see raw_filter.h.
#include "odata/raw_filter.h"

#include <algorithm>

#include "odata/filter_tree.h"

namespace aztables {
namespace {

bool Limits(const Comparison& comparison) {
  const Value& literal = comparison.literal;
  if (comparison.property != "PartitionKey" || literal.type != EdmType::kString) return false;
  switch (comparison.op) {
    case CompareOp::kEq:
    case CompareOp::kLt:
    case CompareOp::kLe:
      return true;
    case CompareOp::kGt:
    case CompareOp::kGe:
      return !literal.text.empty();  // every key except the empty one is above ''
    case CompareOp::kNe:
      break;
  }
  return false;
}

// The recursion is as deep as the tree: kMaxFilterDepth.
bool Limits(const FilterNode& node) {
  const auto limits = [](const FilterNode& child) { return Limits(child); };
  switch (node.kind) {
    case FilterNode::Kind::kCompare:
      return Limits(node.comparison);
    case FilterNode::Kind::kAnd:
      return std::any_of(node.children.begin(), node.children.end(), limits);
    case FilterNode::Kind::kOr:
      return std::all_of(node.children.begin(), node.children.end(), limits);
    case FilterNode::Kind::kNot:
    case FilterNode::Kind::kConstant:  // a service may read the whole table even for false
      break;
  }
  return false;
}

}  // namespace

bool LimitsPartitionKey(std::string_view filter) {
  const Result<FilterNode> tree = ParseFilter(filter);
  return tree.ok() && Limits(*tree);
}

}  // namespace aztables
