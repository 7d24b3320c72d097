// Filters applied to entities: see filter_match.h.
#include "service/handlers/filter_match.h"

#include <algorithm>
#include <cmath>
#include <compare>

#include "model/datetime.h"
#include "model/key.h"

namespace aztables {
namespace {

// Compares a value with a literal; unordered if one is NaN.
using Order = std::partial_ordering;

Order OrderOf(int compared) {
  if (compared == 0) return Order::equivalent;
  return compared < 0 ? Order::less : Order::greater;
}

bool Comparable(EdmType property, EdmType literal) {
  return property == literal || (property == EdmType::kInt64 && literal == EdmType::kInt32);
}

Order CompareValues(const PropertyView& property, const PropertyView& literal) {
  switch (property.type) {
    case EdmType::kString:
      return OrderOf(CompareKeys(property.bytes, literal.bytes));
    case EdmType::kBinary:
    case EdmType::kGuid:
      return OrderOf(property.bytes.compare(literal.bytes));
    case EdmType::kDouble:
      return property.real <=> literal.real;
    default:
      return property.integer <=> literal.integer;
  }
}

}  // namespace

FilterMatch::FilterMatch(const FilterNode& filter) : root_(Compile(filter)) {}

FilterMatch::Node FilterMatch::Compile(const FilterNode& filter) {
  Node node;
  node.kind = filter.kind;
  node.constant = filter.constant;
  for (const FilterNode& child : filter.children) node.children.push_back(Compile(child));
  if (filter.kind != FilterNode::Kind::kCompare) return node;
  const Value& value = filter.comparison.literal;
  node.op = filter.comparison.op;
  node.property = filter.comparison.property;
  node.literal.type = value.type;
  node.literal.integer = value.integer;
  node.literal.real = value.real;
  node.text = value.text;
  if (value.type == EdmType::kGuid) node.text = GuidBytes(value.text);
  if (value.type == EdmType::kDateTime) {
    node.literal.integer = ParseDateTime(value.text).value_or(0);
  }
  needs_properties_ =
      needs_properties_ || (node.property != "PartitionKey" && node.property != "RowKey" &&
                            node.property != "Timestamp");
  return node;
}

bool FilterMatch::Matches(const Node& node, const StoredEntity& entity) {
  const auto matches = [&](const Node& child) { return Matches(child, entity); };
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
  return Compare(node, entity);
}

bool FilterMatch::Compare(const Node& node, const StoredEntity& entity) {
  PropertyView property;
  if (node.property == "PartitionKey" || node.property == "RowKey") {
    property.type = EdmType::kString;
    property.bytes = node.property == "RowKey" ? entity.row_key : entity.partition_key;
  } else if (node.property == "Timestamp") {
    property.type = EdmType::kDateTime;
    property.integer = entity.timestamp;
  } else {
    const auto found =
        std::find_if(entity.properties.begin(), entity.properties.end(),
                     [&](const PropertyView& view) { return view.name == node.property; });
    if (found == entity.properties.end()) return false;
    property = *found;
  }
  if (!Comparable(property.type, node.literal.type)) return node.op == CompareOp::kNe;
  PropertyView literal = node.literal;
  literal.bytes = node.text;
  return Holds(node.op, CompareValues(property, literal));
}

}  // namespace aztables
