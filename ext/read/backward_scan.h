// BackwardScan: the rows of one query from the last one to the first. It searches the last entity,
// and then reads windows of keys before it (table/backward_windows.h). The pages of a window wait
// in memory until the window is complete. If the guesses of windows cost too many requests, all
// that is left is read in ranges, in any order, and its pages wait on the disk (page_file.h).
//
// SQLite and the service sort some keys differently (order_conflict_range.h). Before the first such
// key, the scan hands the rest over to another stream.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "read/page_chains.h"
#include "read/page_file.h"
#include "read/split_scan.h"
#include "table/backward_windows.h"

namespace aztables {

class BackwardScan final : public RowStream {
 public:
  struct Setting {
    SplitScan::OpenReader open;
    // Opens a query in the reverse of SQLite's order.
    std::function<std::unique_ptr<RowStream>(EntityQuery query)> open_sorted;
    PageChains::Reuse reuse = [](auto) {};
    std::function<void()> ended = nullptr;  // called when there are no more rows
    size_t parallel = 1;                    // the most requests under way at once
    size_t guesses = 1;                     // the most guesses of a search at once
    size_t spare = 100;                     // so many requests more than pages may be sent
    size_t wanted = 0;                      // so many rows are probably enough; 0: not known
    bool large = false;                     // the query probably has more than a page
  };
  // REQUIRES: the query is not a point
  BackwardScan(EntityQuery query, Setting setting);
  // The scan begins with these ranges, which cover the query in the order of keys.
  void BeginWith(std::vector<KnownKeys::Range> ranges);

  Result<bool> Next() override;
  Cell At(size_t place) const override {
    return sorted_ ? sorted_->At(place) : shown_.page->At(row_, place);
  }
  int64_t asked_at() const override { return sorted_ ? sorted_->asked_at() : shown_.asked_at; }

 private:
  // The last page of a search that had entities.
  struct FoundPage {
    bool done = false;                 // the search has ended
    bool unnamed = false;              // no filter can hold the keys of the next page
    std::unique_ptr<PageReader> read;  // its reader
    bool shown = false;                // it has all cells that the rows need
    PageChains::Page page;
    BackwardWindows::Known known;  // of the entities before it
  };

  // A page of a search that is requested.
  struct Guess {
    std::unique_ptr<PageReader> read;
    bool begins = true;       // the first page of the reader
    bool shown = false;       // it has all cells that the rows need
    bool from_first = false;  // it begins with the first entity of a partition
  };

  // Moves on to the next page, or to a stream of sorted rows; false at the end.
  Result<bool> MoveOn();
  Result<bool> NextSorted();
  void Sort();
  // Whether a key of the window may be sorted differently.
  bool MayConflict(size_t window);
  // Whether the guesses so far were too bad.
  bool CostsTooMuch() const;
  // What so many rows of a page are of a full one, whose size it learns.
  double FullPages(size_t rows);
  Status StartSome();
  Status Search(size_t window);
  // Reads all that is left, in any order.
  Status ReadRest();
  // The spans before the window's end. Nothing if a filter cannot name them.
  std::optional<std::vector<KeySpan>> RestUpTo(const KeySpan& window) const;
  // Adds all pages of the span to the rest.
  Status KeepAll(const KeySpan& span);
  // A failure of the rest, with the name of the table.
  Status OfTable(const Status& status) const;
  // Shows the next page of the rest, from its last page on; false at the end.
  Result<bool> ShowRest();
  // Reads the next page of a search, or several that are requested at once.
  Status SearchPages(const KeySpan& span, LastRowSearch& search, FoundPage& found);
  // The page of a search that was requested.
  Status SearchPage(Guess guess, const KeySpan& span, LastRowSearch& search, FoundPage& found);
  std::unique_ptr<PageReader> Open(const KeySpan& span, bool keys_only);
  Status Load();

  EntityQuery query_;
  Setting setting_;
  bool shows_keys_;       // the rows need only their keys
  bool divided_ = false;  // into known ranges
  BackwardWindows windows_;
  PageChains chains_;
  bool opened_ = false;        // a reader was made
  bool opened_whole_ = false;  // a reader of all cells was made
  size_t requests_ = 0;        // that were answered
  double useful_ = 0;          // their rows, in full pages
  size_t found_after_ = 0;     // so many of them found the last entity; 0: it is not found yet
  size_t most_rows_ = 1;       // of a page
  PageChains::Page shown_;     // the page of the current row
  size_t row_ = 0;             // index of the current row
  // The keys of the last row that was returned of the pages before shown_.
  std::optional<EntityKey> last_;
  std::unique_ptr<PageFile> rest_;  // all pages before the windows; null: windows are read
  std::unique_ptr<RowStream> sorted_;
};

}  // namespace aztables
