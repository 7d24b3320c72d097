// BoundRead: a plan with its values, ready to be asked of the service. Here SQLite's rules of
// comparing a TEXT column meet the service's: NULL and BLOB values, numbers, texts that cannot be
// keys, and texts on which the two orders differ.
//
// Thread rule: pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aztables/model/edm.h"
#include "aztables/odata/filter.h"
#include "aztables/plan/read_plan.h"

namespace aztables {

struct BoundRead {
  bool empty = false;  // no row can satisfy the plan: nothing has to be asked
  std::optional<int64_t> rowid;
  ReadKind kind = ReadKind::kTableScan;
  std::optional<std::pair<std::string, std::string>> point;
  Conjunction filter;    // without `point`
  size_t page_hint = 0;  // how many entities LIMIT lets expect; 0: unknown
};

// `values` are xFilter's, the first being argument 1.
BoundRead BindRead(const ReadPlan& plan, const std::vector<SqlValue>& values);

}  // namespace aztables
