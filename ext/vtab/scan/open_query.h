// QueryOpener: assembles the row streams of a cursor's queries. Each has only the stages that its
// read needs: pages, SQLite's order of keys, pending writes.
//
// Ownership: the cursor outlives it; shared by the streams.
// Thread rule: the thread of the database connection.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "plan/bound_plan.h"
#include "read/backward_scan.h"
#include "read/window_scan.h"
#include "vtab/scan/budgeted_page_reader.h"
#include "vtab/table.h"

namespace aztables {

class QueryOpener : public std::enable_shared_from_this<QueryOpener> {
 public:
  // For the queries of `bound`. Sets cursor.cell_of to the cell of each column.
  QueryOpener(Cursor& cursor, const ReadPlan& plan, const BoundPlan& bound);

  // `last`: no other query of this read follows. The result may be null: there is no row.
  Result<std::unique_ptr<RowStream>> Open(EntityQuery query, bool last);
  // The chains of pages that a read from the last row to the first may use, and the guesses that
  // its search may send at once.
  void UseRanges(size_t ranges, size_t guesses) {
    ranges_ = ranges;
    guesses_ = guesses;
  }
  // The rows of all queries of `bound`, with up to `ranges` chains of pages. REQUIRES: MayDivide()
  std::unique_ptr<RowStream> OpenDivided(BoundPlan bound, size_t ranges);
  // Whether ranges of keys may be read at the same time.
  bool MayDivide() const;
  // Cells of a row.
  size_t width() const { return EntityPage::kFirstProperty + projection_.properties.size(); }

 private:
  PageChains::Reuse MakeReuse() const;
  // The scan holds back bulk=on until it calls the result.
  std::function<void()> MakeHold() const;
  // What an earlier scan knows of the query; empty if that is too little.
  std::vector<KnownKeys::Range> RangesInOrder(const EntityQuery& query, double pages) const;
  // In order, or as they arrive.
  std::unique_ptr<RowStream> OpenWindows(BoundPlan bound, size_t ranges);
  std::unique_ptr<RowStream> OpenSplit(BoundPlan bound, size_t ranges);
  std::unique_ptr<PageReader> MakeReader(EntityQuery query, bool last, size_t page_hint) const;
  // A reader for a divided scan whose queries are `keyed` or not.
  std::unique_ptr<PageReader> MakePartReader(EntityQuery query, const SplitScan::Place& place,
                                             bool keyed) const;
  std::unique_ptr<BudgetedPageReader> Make(EntityQuery query, size_t page_hint,
                                           BudgetedPageReader::Setting setting) const;
  void UseCache(BudgetedPageReader& reader) const;
  // Whether a page may answer the point and later ones.
  bool MayBeNear(const EntityQuery& query) const;
  Result<NearPoints::Answer> FindNear(const EntityQuery& query) const;
  std::unique_ptr<RowStream> OpenBackward(EntityQuery query, bool last);
  std::unique_ptr<RowStream> OpenRemote(EntityQuery query, bool last);

  Cursor& cursor_;
  Projection projection_;
  BudgetedPageReader::Setting reader_;  // what the readers have in common
  std::vector<ComparedProperty> compared_;
  size_t page_hint_;
  bool alone_;               // the read is one query
  bool distinct_;            // one row of each partition is enough
  bool keeps_order_;         // the service returns entities in the order of its keys
  bool ordered_;             // the rows must be in SQLite's order
  bool reverse_;             // in the reverse of that order
  size_t ranges_ = 1;        // chains of pages of a read from the last row to the first
  size_t guesses_ = 1;       // at once, of its search
  std::string last_entity_;  // shared by the readers of several queries
};

}  // namespace aztables
