// BoundRead: a plan with its values, ready to be asked of the service. Here SQLite's rules of
// comparing a TEXT column meet the service's: NULL and BLOB values, numbers, texts that cannot be
// keys, and texts on which the two orders differ.
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
#include "plan/read_plan.h"
#include "plan/table_shape.h"

namespace aztables {

// What xFilter gets for one argument of a plan; of kIn all values of the list.
struct ReadArgument {
  SqlValue value;
  std::vector<SqlValue> list;

  ReadArgument() = default;
  ReadArgument(SqlValue one) : value(one) {}  // NOLINT(google-explicit-constructor)
};

// One query, with all its pages, or one point.
struct BoundQuery {
  ReadKind kind = ReadKind::kTableScan;
  std::optional<std::pair<std::string, std::string>> point;
  Conjunction filter;             // without `point`
  std::vector<Alternatives> any;  // of each, one holds; without `point`
};

struct BoundRead {
  bool empty = false;  // no row can satisfy the plan: nothing has to be asked
  std::optional<int64_t> rowid;
  ReadKind kind = ReadKind::kTableScan;
  // The keys that are asked for one by one: each of `partitions` is a query, or with `rows` each of
  // these in each of them is a point. In SQLite's order, none twice. No partitions: one query.
  std::vector<std::string> partitions;
  std::vector<std::string> rows;
  Conjunction filter;             // beside them
  std::vector<Alternatives> any;  // of each, one holds
  size_t page_hint = 0;           // how many entities LIMIT lets expect; 0: unknown
  // A key that the plan's order takes for one value was compared with a number: several texts may
  // be equal to it, so the rows come in no order.
  bool unordered = false;

  // How many queries, and each of them. REQUIRES: not empty
  size_t size() const;
  BoundQuery At(size_t i) const;
};

// Where two keys stand for more points than this, ranges of rows are read.
inline constexpr size_t kMostPoints = 10'000;
// A page of a range costs about as much as so many points, several of which are under way at once.
inline constexpr int64_t kPointsOfPage = 10;
// Comparisons that a filter gets; the service takes 15, and some are added while reading.
inline constexpr size_t kMostComparisons = 12;

// `arguments` are xFilter's, the first being argument 1. Where the shape of the table is known,
// many rows of small partitions are read by ranges.
BoundRead BindRead(const ReadPlan& plan, const std::vector<ReadArgument>& arguments,
                   const Schema& schema, const TableShape& shape = {});

// A filter that every value of the property passes that a column of the type shows; nothing for
// types without one (GUID, BINARY).
std::optional<Alternatives> AnyValueFilter(std::string_view property, EdmType declared);

// Makes it a read of the whole table, whose rows come in the order of the keys.
void ReadAll(BoundRead& read);

}  // namespace aztables
