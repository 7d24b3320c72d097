// QueryOpener: makes the reads of a cursor's queries: the service's entities, overlaid with what
// the transaction has pending.
//
// Ownership: the cursor outlives it.
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plan/bound_read.h"
#include "read/overlaid_read.h"
#include "vtab/table.h"

namespace aztables {

class QueryOpener {
 public:
  // For the queries of `read`. Sets cursor.cell_of to the cell of each column.
  QueryOpener(Cursor& cursor, const ReadPlan& plan, const BoundRead& read);

  // `last`: no other query of this read follows.
  Result<std::unique_ptr<OverlaidRead>> Open(BoundQuery query, bool last);
  // Cells of a row.
  size_t width() const { return EntityPage::kFirstProperty + projection_.properties.size(); }

 private:
  // The declared properties that this read shows but that no known entity has.
  std::vector<std::pair<int, size_t>> Expected() const;
  std::unique_ptr<GuardedRead> MakeRead(BoundQuery query, bool last, size_t page_hint);

  Cursor& cursor_;
  const Table& table_;
  Projection projection_;
  std::vector<std::string> select_;
  std::vector<std::pair<int, size_t>> expected_;
  CallOptions call_;
  size_t page_hint_;
  bool alone_;               // the read is one query
  std::string last_entity_;  // shared by all of them
  bool ordered_;             // the rows must be in SQLite's order
  bool distinct_;            // one row of each partition is enough
};

}  // namespace aztables
