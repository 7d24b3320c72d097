// BoundPlan: a plan with its values, ready to be sent to the service. It reconciles SQLite's rules
// for comparing a TEXT column with the service's. They differ for NULL and BLOB values, numbers,
// texts that cannot be keys, and texts that the two orders sort differently.
//
// Thread rule: pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/edm.h"
#include "model/schema.h"
#include "odata/filter.h"
#include "plan/filter_use.h"
#include "plan/read_plan.h"
#include "plan/table_shape.h"

namespace aztables {

// The value of xFilter for one argument of a plan; for kIn all values of the list.
struct ReadArgument {
  SqlValue value;
  std::vector<SqlValue> list;

  ReadArgument() = default;
  ReadArgument(SqlValue one) : value(one) {}  // NOLINT(google-explicit-constructor)
};

// A property that a filter compares, other than the keys and Timestamp, and properties of type ANY.
struct ComparedProperty {
  std::string name;
  EdmType type;        // of its column
  bool never = false;  // no value of that type satisfies a comparison, which is not in the filter

  bool operator==(const ComparedProperty& other) const = default;
};

struct BoundPlan {
  bool empty = false;           // no row can satisfy the plan: no request is needed
  std::vector<int64_t> rowids;  // ascending; the caller adds their points
  ReadKind kind = ReadKind::kTableScan;
  // The keys that are requested one by one. Without `rows`, each of `partitions` is a query. With
  // `rows`, each pair of a partition and a row is a point. Both are in SQLite's order and without
  // duplicates. If there are no partitions, the read is one query.
  std::vector<std::string> partitions;
  std::vector<std::string> rows;
  // The entities of `rowids`, which are requested one by one.
  std::vector<std::pair<std::string, std::string>> points;
  std::vector<ComparedProperty> compared;
  EntityQuery query;     // what the queries have in common; the caller sets its table
  size_t page_hint = 0;  // how many entities the LIMIT needs; 0: unknown
  // The plan's order assumes one value of a key, but the value is a number. Several texts may equal
  // it, so the rows have no order.
  bool unordered = false;

  // Makes the last of the queries the first. REQUIRES: no rowids
  void Reverse();

  // The number of queries, and one of them. REQUIRES: not empty
  size_t size() const;
  EntityQuery At(size_t i) const;
};

// If two keys make more points than this, ranges of rows are read.
inline constexpr size_t kMostPoints = 10'000;
// A page of a range costs about as much as this many points, several of which are under way at
// once.
inline constexpr int64_t kPointsOfPage = 10;
// `arguments` are those of xFilter, starting with argument 1. If the shape of the table is known,
// many rows of small partitions are read by ranges. `other_types`: AddTypeArms() will follow, so a
// comparison that no value of its column's type satisfies does not make the read empty.
BoundPlan BindRead(const ReadPlan& plan, const std::vector<ReadArgument>& arguments,
                   const Schema& schema, const TableShape& shape = {}, bool other_types = false);

// A filter that is true for every value of the property that a column of the type shows. Nothing
// for types without such a filter (GUID, BINARY).
std::optional<Disjunction> AnyValueFilter(std::string_view property, EdmType declared);

// Makes it a read of the whole table, in the order of the keys.
void ReadAll(BoundPlan& read);

}  // namespace aztables
