// Filters applied to entities: see filter_match.h.
#include "service/handlers/filter_match.h"

#include <algorithm>
#include <cmath>
#include <compare>

#include "model/datetime.h"
#include "model/key.h"

namespace aztables {
namespace {

bool Comparable(EdmType property, EdmType literal) {
  return property == literal || (property == EdmType::kInt64 && literal == EdmType::kInt32);
}

// Unordered if one is NaN.
std::partial_ordering CompareValues(const PropertyView& property, const Value& literal) {
  switch (property.type) {
    case EdmType::kString:
      return CompareKeys(property.bytes, literal.text) <=> 0;
    case EdmType::kBinary:
    case EdmType::kGuid:
      return property.bytes.compare(literal.text) <=> 0;
    case EdmType::kDouble:
      return property.real <=> literal.real;
    default:
      return property.integer <=> literal.integer;
  }
}

}  // namespace

FilterMatch::FilterMatch(FilterNode filter) : root_(std::move(filter)) { Prepare(root_); }

void FilterMatch::Prepare(FilterNode& node) {
  for (FilterNode& child : node.children) Prepare(child);
  if (node.kind != FilterNode::Kind::kCompare) return;
  Value& literal = node.comparison.literal;
  if (literal.type == EdmType::kGuid) literal.text = GuidBytes(literal.text);
  if (literal.type == EdmType::kDateTime) literal.integer = ParseDateTime(literal.text).value_or(0);
  needs_properties_ = needs_properties_ || !IsBuiltIn(node.comparison.property);
}

bool FilterMatch::Matches(const FilterNode& node, const StoredEntity& entity) {
  const auto matches = [&](const FilterNode& child) { return Matches(child, entity); };
  switch (node.kind) {
    case FilterNode::Kind::kConstant:
      return node.constant;
    case FilterNode::Kind::kAnd:
      return std::all_of(node.children.begin(), node.children.end(), matches);
    case FilterNode::Kind::kOr:
      return std::any_of(node.children.begin(), node.children.end(), matches);
    case FilterNode::Kind::kNot:
      return !Matches(node.children.front(), entity);
    case FilterNode::Kind::kCompare:
      break;
  }
  return Compare(node.comparison, entity);
}

bool FilterMatch::Compare(const Comparison& comparison, const StoredEntity& entity) {
  const PropertyView property = entity.Find(comparison.property);
  if (property.type == EdmType::kNull) return false;
  const Value& literal = comparison.literal;
  if (!Comparable(property.type, literal.type)) return comparison.op == CompareOp::kNe;
  return Holds(comparison.op, CompareValues(property, literal));
}

}  // namespace aztables
