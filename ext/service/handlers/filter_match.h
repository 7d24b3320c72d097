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

#include "odata/filter_tree.h"
#include "service/handlers/entity_json.h"

namespace aztables {

class FilterMatch {
 public:
  explicit FilterMatch(FilterNode filter);

  // Whether the filter needs properties other than keys and Timestamp.
  bool needs_properties() const { return needs_properties_; }
  bool Matches(const StoredEntity& entity) const { return Matches(root_, entity); }

 private:
  // Converts GUIDs to bytes and dates to ticks, the form of stored properties.
  void Prepare(FilterNode& node);
  static bool Matches(const FilterNode& node, const StoredEntity& entity);
  static bool Compare(const Comparison& comparison, const StoredEntity& entity);

  bool needs_properties_ = false;
  FilterNode root_;
};

}  // namespace aztables
