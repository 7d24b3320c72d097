// SplitScan: the rows of one query or of several, as they arrive. Several chains of pages are read
// at once. A chain reads a query, or a range of its keys: once a read turns out to be long, it is
// divided (table/scan_splitter.h). One page is in memory for each chain, and one request under way.
//
// While the service is too busy, fewer requests are under way, and their number rises slowly.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plan/bound_plan.h"
#include "read/page_reader.h"
#include "read/request_limit.h"
#include "read/scan_record.h"
#include "table/scan_splitter.h"

namespace aztables {

// The query for those of its entities that are in the span, a part of its own.
EntityQuery PartOf(EntityQuery query, const KeySpan& span);

class SplitScan final : public RowStream {
 public:
  // The place of a reader's query in the scan.
  struct Place {
    bool first = false;  // no other reader was made before
    bool last = false;   // no other query follows
    bool range = false;  // it is a range of a query of the plan
  };
  using OpenReader =
      std::function<std::unique_ptr<PageReader>(EntityQuery query, const Place& place)>;

  // `parallel`: the most requests under way at once. REQUIRES: no query of `plan` is a point
  SplitScan(BoundPlan plan, OpenReader open, size_t parallel);
  // The scan begins with these ranges, which cover its only query. `keys`: of an earlier scan of
  // all entities of the query; may be empty.
  void BeginWith(std::vector<KeySpan> ranges, KnownKeys keys = {}) {
    known_ = std::move(ranges);
    splitter_.Know(std::move(keys));
  }
  // The rows of a partition follow each other, and only the first of them is needed, unless `all`
  // has become true. A chain's page is requested after the rows of its last page were returned:
  // `all` decides which one that is. The caller owns `all`.
  void KeepPartitions(const bool* all);
  // `end` is called when every row of the table was returned. REQUIRES: the only query has no
  // filter
  void Record(std::function<void(ScanRecord&)> end) { end_ = std::move(end); }

  Result<bool> Next() override;
  // In place of Next(): the next page with rows; false at the end. REQUIRES: no KeepPartitions()
  Result<bool> NextPage();
  const EntityPage& page() const { return shown_->page(); }
  const RowsOfSpan& rows() const { return rows_; }
  Cell At(size_t place) const override { return shown_->page().At(row_ - 1, place); }
  int64_t asked_at() const override { return shown_->asked_at(); }

 private:
  struct Chain {
    size_t query;       // its index in plan_
    size_t range;       // its number in splitter_
    bool part = false;  // it reads a part of the query
    std::unique_ptr<PageReader> read = nullptr;
    bool asked = false;                    // a request is under way
    size_t number = 0;                     // of that request
    bool slowed = false;                   // Slow() was called for it
    bool reads_on = false;                 // the page behind it is requested too
    std::optional<std::string> partition;  // of its last row, if partitions are kept
  };

  Status Load();
  // Requests the pages behind those that came, of each chain that goes on.
  void ReadOn();
  // The rows of the page that the statement needs, and the chain's last partition.
  void KeepPartition(Chain& chain);
  // Null, or the chain that must be read first, because the statement needs all rows of its
  // partition.
  Chain* Continued();
  // The index of a chain whose page came.
  Result<size_t> WaitForOne();
  // Begins chains, and sends requests, as long as more may be under way.
  Status StartSome();
  // Adds the chain of the next query or known range; false if there is none.
  bool AddNext();
  // Adds the chain of a part that is cut from another one; false if no cut is worth a request.
  bool AddCut();
  std::unique_ptr<PageReader> Open(const Chain& chain);
  Status Ask(Chain& chain);
  size_t UnderWay() const;
  // The service was too busy for the request of the chain.
  void Slow(Chain& chain);

  BoundPlan plan_;
  OpenReader open_;
  RequestLimit limit_;
  const bool* all_ = nullptr;  // null: partitions are not kept
  std::vector<KeySpan> known_;
  std::function<void(ScanRecord&)> end_;  // null: nothing is recorded
  ScanRecord record_;
  size_t next_ = 0;      // index of the next query or known range to begin
  bool opened_ = false;  // a reader was made
  bool split_ = false;   // there were several chains
  ScanSplitter splitter_;
  std::vector<Chain> chains_;          // in the order of their last pages
  std::unique_ptr<PageReader> ended_;  // its last page is shown
  PageReader* shown_ = nullptr;        // the reader of the current row
  RowsOfSpan rows_;                    // of its page
  size_t row_ = 0;                     // index of the next row
};

}  // namespace aztables
