// FilterMatch: whether an entity satisfies a $filter, by the service's rules for types.
// Source: Microsoft, "Query operators supported for the Table service", and users' reports on the
// live service:
//   - a comparison with an absent property is false, even ne; `not` of it is true
//   - if literal and property differ in type, only ne is true, but an Int32 literal
//     is compared with an Int64 property by value
//   - texts compare by UTF-16 code unit, dates by 100 ns, Binary and Guid byte by byte
//
// Thread rule: one thread at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "odata/filter_tree.h"
#include "service/handlers/entity_json.h"

namespace aztables {

class FilterMatch {
 public:
  explicit FilterMatch(const FilterNode& filter);

  // Whether the filter needs properties other than keys and Timestamp.
  bool needs_properties() const { return needs_properties_; }
  bool Matches(const StoredEntity& entity) const { return Matches(root_, entity); }

 private:
  struct Node {
    FilterNode::Kind kind = FilterNode::Kind::kCompare;
    CompareOp op = CompareOp::kEq;
    bool constant = false;
    std::string property;
    std::string text;      // literal.bytes points into it
    PropertyView literal;  // bytes are set before use, since a node may move
    std::vector<Node> children;
  };
  Node Compile(const FilterNode& filter);
  static bool Matches(const Node& node, const StoredEntity& entity);
  static bool Compare(const Node& node, const StoredEntity& entity);

  bool needs_properties_ = false;
  Node root_;
};

}  // namespace aztables
