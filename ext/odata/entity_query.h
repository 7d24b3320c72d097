// EntityQuery: the entities to read from one table. plan makes it, and table sends it.
//
// Thread rule: a value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "odata/filter.h"

namespace aztables {

struct EntityQuery {
  std::string table;
  std::string_view kind;  // in Azure's words, for the log; a literal
  // A point read. If its address would be too long, the entity is read by filter.
  std::optional<std::pair<std::string, std::string>> point;
  Conjunction filter;                // without `point`
  std::vector<Disjunction> clauses;  // each must be true; without `point`
  std::string raw_filter;            // OData that a person wrote; instead of `filter`
  std::vector<std::string> select;   // remote names; empty: every property

  // The conditions on one property each: `filter`, or those of the point.
  Conjunction Conditions() const {
    if (!point) return filter;
    return {{"PartitionKey", CompareOp::kEq, Value::String(point->first)},
            {"RowKey", CompareOp::kEq, Value::String(point->second)}};
  }
};

}  // namespace aztables
