// ScanWindows: divides a scan in the order of keys into short ranges of keys, windows, just ahead
// of the rows that were returned. Windows are read at the same time, and their pages wait in memory
// for their turn. It learns from each page where the unread keys are, and does no I/O. A cut takes
// effect at once, as in ScanSplitter.
//
// A window reads a part of its last page for nothing. So windows have a few pages, and if they cost
// too many requests, no new ones are cut. Memory is bounded by a number of pages. If a window needs
// memory that windows far behind it have, their pages are dropped and read again later.
//
// Thread rule: values; any thread.
#pragma once

#include <algorithm>
#include <list>
#include <optional>
#include <string>
#include <string_view>

#include "model/key_numbers.h"
#include "odata/entity_page.h"
#include "table/key_span.h"
#include "table/partition_sizes.h"

namespace aztables {

class ScanWindows {
 public:
  // So many pages are read before the first cut: a small table costs no additional request.
  static constexpr size_t kFirstPages = 3;
  // The usual number of pages of a window. Its last page should have room for a guess that is a
  // little wrong.
  static constexpr double kPages = 2.8;
  // So many pages may be in memory or be requested. Many chains gain nothing by three for each.
  static size_t MostPages(size_t chains) { return std::min(3 * chains, 2 * chains + 8); }

  // `chains`: the most requests under way at once.
  explicit ScanWindows(size_t chains);
  // The pages of a chain skip the rest of their last partition, so no partition is divided.
  void KeepPartitions();

  // Adds a window behind the others: all of the query with this number. The result identifies it.
  size_t Add(KeySpan span, size_t query = 0);
  // The same for a part of the query. It seems to have so many pages.
  size_t AddPart(KeySpan span, double pages);

  struct Step {
    size_t window;
    bool drop;  // all its pages are dropped, to be read again; else its next page is requested
  };
  // What to do next. Nothing: no request is useful now.
  // REQUIRES: fewer requests are under way than `chains`
  std::optional<Step> Next();
  // Learns from a page of the window, and returns its rows in the window. `token`: the page has a
  // continuation token. A page with rows is in memory until Return().
  RowsOfSpan Report(size_t window, const EntityPage& page, bool token);
  // The service has no more entities in the window.
  void End(size_t window);
  // A page of the window is no longer in memory.
  void Return(size_t window) { --Find(window)->held; }

  bool empty() const { return windows_.empty(); }
  // The first window in the order of keys. REQUIRES: not empty
  size_t front() const { return windows_.front().id; }
  size_t size() const { return windows_.size(); }
  // REQUIRES: what is left of it is not needed
  void RemoveFront() { windows_.pop_front(); }
  // All of the window was reported.
  bool Ended(size_t window) const { return Find(window)->ended; }
  const KeySpan& SpanOf(size_t window) const { return Find(window)->span; }
  size_t QueryOf(size_t window) const { return Find(window)->query; }
  // Whether it is not all of its query.
  bool IsPart(size_t window) const { return Find(window)->part; }

 private:
  struct Window {
    size_t id = 0;
    size_t query = 0;
    bool part = false;
    KeySpan span;
    // Keys and the pages between them, usually the last page.
    std::string first;
    std::string last;
    double between = 0;
    int age = 0;       // cuts since that page
    std::string at;    // the last key that came; else the low end
    size_t pages = 0;  // that came
    size_t entities = 0;
    size_t held = 0;      // pages in memory
    double left = 1;      // pages that probably follow
    double expected = 0;  // pages of the whole window; 0: not known
    bool asked = false;   // a request is under way
    bool ended = false;
    bool narrowed = false;  // its pages began before its low end: they cannot be read again
    // The pages, up to the last one, that had only entities of one partition.
    size_t run = 0;
    std::string row_first;  // RowKeys of the last page
    std::string row_last;
  };
  using Place = std::list<Window>::iterator;

  Place Find(size_t window);
  std::list<Window>::const_iterator Find(size_t window) const;
  bool MayCut() const;
  // The pages that a window at this place should still get; 0: it must not be cut.
  double PagesFor(const Window& window, size_t position) const;
  // The pages that the entities of an ended window fill.
  double FullPagesOf(const Window& window) const;
  void LeavePartition(Place window);
  void Cut(Place window, double pages);
  // Adds a window behind another one, which knows what that one knows.
  Window& AddBehind(Place window, KeySpan span);
  // The pages of a window far behind `window`, to be dropped.
  std::optional<Step> Drop(Place window);
  void LearnFrom(Window& window, const EntityPage& page, const RowsOfSpan& rows, bool more);
  void Finish(Window& window);
  // The windows behind seem to have as many entities.
  void Spread(Place window);
  size_t held() const;
  size_t under_way() const;

  size_t chains_;
  double memory_;          // pages
  double usual_ = kPages;  // pages of a window
  bool keeps_partitions_ = false;
  std::list<Window> windows_;  // in the order of keys
  size_t next_ = 0;            // the next number of a window
  double page_size_;           // entities of a full page
  size_t pages_ = 0;           // that came
  double useful_ = 0;          // of them, what was in its window, in full pages
  // Of ended windows, on average: pages by expected pages, and how far that is from one.
  double growth_ = 1;
  double error_;
  PartitionSizes sizes_;
  KeyNumbers partitions_;
  KeyNumbers rows_;  // of all partitions: they are similar
};

}  // namespace aztables
