// WindowScan: the rows of one query or of several, in order. Several chains of pages are read at
// once, each in a short range of keys just ahead of the rows that were returned
// (table/scan_windows.h). Their pages wait in memory for their turn, a bounded number of them.
//
// SQLite and the service sort some keys differently (order_conflict_range.h). Before the first such
// key of a query, the scan hands the rest of that query over to another stream.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plan/bound_plan.h"
#include "read/page_chains.h"
#include "read/split_scan.h"
#include "table/known_keys.h"
#include "table/scan_windows.h"

namespace aztables {

class WindowScan final : public RowStream {
 public:
  struct Setting {
    SplitScan::OpenReader open;
    // Opens the rest of a query in SQLite's order.
    std::function<std::unique_ptr<RowStream>(EntityQuery query)> open_sorted;
    PageChains::Reuse reuse = [](auto) {};
    std::function<void()> ended = nullptr;  // called when there are no more rows
  };
  // `parallel`: the most requests under way at once. REQUIRES: no query of `plan` is a point
  WindowScan(BoundPlan plan, Setting setting, size_t parallel);

  // The scan begins with these ranges, which cover its only query in the order of keys.
  void BeginWith(std::vector<KnownKeys::Range> ranges);
  // One row of each partition is enough, unless `all` has become true. The caller owns it.
  // REQUIRES: the plan is one query; its readers skip the rest of the last partition of a page
  void KeepPartitions(const bool* all);
  // `end` is called when every row of the table was returned. REQUIRES: the only query has no
  // filter
  void Record(std::function<void(ScanRecord&)> end) { end_ = std::move(end); }

  Result<bool> Next() override;
  Cell At(size_t place) const override {
    return sorted_ ? sorted_->At(place) : shown_.page->At(row_ - 1, place);
  }
  int64_t asked_at() const override { return sorted_ ? sorted_->asked_at() : shown_.asked_at; }

 private:
  // Moves on to the next page, or to a stream of sorted rows; false at the end.
  Result<bool> MoveOn();
  // All rows behind the current one are returned.
  void ReturnAll();
  // Shows the next page of a window.
  void Show(size_t window);
  // The rest of the query is to be sorted from this row of the page on.
  void SortFrom(size_t row);
  void Sort();
  Result<bool> NextSorted();
  Status StartSome();
  Status Ask(size_t window);
  Status Load();

  BoundPlan plan_;
  Setting setting_;
  ScanWindows windows_;
  PageChains chains_;
  std::function<void(ScanRecord&)> end_;  // null: nothing is recorded
  ScanRecord record_;
  bool opened_ = false;     // a reader was made
  PageChains::Page shown_;  // the page of the current row
  size_t row_ = 0;          // index of the next row
  size_t query_ = 0;        // of shown_
  bool conflicts_ = false;  // the next key of that query may be sorted differently
  std::unique_ptr<RowStream> sorted_;
  EntityKey sorted_from_;      // of its first entity
  bool sorted_after_ = false;  // that entity was returned
  const bool* all_ = nullptr;  // see KeepPartitions()
};

}  // namespace aztables
