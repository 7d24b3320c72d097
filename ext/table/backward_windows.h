// BackwardWindows: divides a span of keys into windows that are read from the last one to the
// first. A page begins at the low end of a window. So the window has to be small, and it is read
// whole before its last row is known. The first windows have few rows, and each of the next ones
// has ten times more, up to some pages. It does no I/O.
//
// It guesses the size of a window from the entities behind it. For a span of which it knows nothing
// it wants the last entity found first (LastRowSearch). The same holds if several windows are
// empty. If windows are often empty, each of those that are read ahead is larger than the one
// behind it. If a window has far more pages than expected, it keeps those that came. What is left
// of it is divided into windows, which are shown before it.
//
// The guesses are in backward_guesses.cc.
// Thread rule: values; any thread.
#pragma once

#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/key_numbers.h"
#include "odata/entity_page.h"
#include "table/key_span.h"
#include "table/known_keys.h"
#include "table/last_row_search.h"
#include "table/read_partitions.h"

namespace aztables {

class BackwardWindows {
 public:
  // So many pages may be in memory besides those of the windows, if windows turn out too large.
  static constexpr size_t kMostPages = 16;
  // The pages of a window, once there are many rows. All pages of a window wait in memory. So it
  // has fewer if there are many chains.
  static double PagesOfWindow(size_t chains);

  // `chains`: the most requests under way at once. `wanted`: so many rows are probably enough; 0:
  // not known.
  BackwardWindows(KeySpan span, size_t chains, size_t wanted);
  // The span is divided into these ranges, in the order of keys. If there are none, it stays whole.
  void BeginWith(std::vector<KnownKeys::Range> ranges);

  struct Step {
    size_t window;
    bool search;  // the window is searched for its last entity; else its next page is requested
  };
  // What to do next. Nothing: no request is useful now.
  // REQUIRES: fewer requests are under way than `chains`
  std::optional<Step> Next();

  // What a search knows of the entities before the last page.
  struct Known {
    std::optional<std::string> first;  // the first key of the window
    // The keys of a page before the last one, and its entities; 0: there is none.
    KeyPlace page_first;
    KeyPlace page_last;
    size_t rows = 0;
    bool adjacent = false;    // no entity is between that page and the last one
    bool from_first = false;  // the last page begins with the first entity of a partition
    size_t pages = 0;         // of the search, with entities
    size_t onward = 0;        // those of them that it reached only by a continuation token
  };
  // Learns from a page of a search. `token`: the page has a continuation token.
  void Learn(const EntityPage& page, bool token);
  // Where the last page of the last partition began that a search has found; empty: not known.
  const std::string& likely_row() const { return likely_row_; }
  // The search of a window found its last entities. `page`: the last page, which has no
  // continuation token. `shown`: the page is the one of a window, whose number is returned.
  std::optional<size_t> Found(size_t window, const EntityPage& page, const Known& known,
                              bool shown);
  // The search of a window found nothing.
  void FoundNothing(size_t window);

  // Learns from a page of the window, and returns its rows in the window. `token`: the page has a
  // continuation token. A page with rows is in memory until Return().
  RowsOfSpan Report(size_t window, const EntityPage& page, bool token);
  // The service has no more entities in the window.
  void End(size_t window);
  // Whether the window has far more pages than expected, and the memory has no room for them. Then
  // they are to be dropped, and the last entity of the window is searched.
  bool IsTooLarge(size_t window) const;
  void DropPages(size_t window);
  // A page of the window is no longer in memory.
  void Return(size_t window) { --Find(window)->held; }

  // The last window that was not reported whole; nothing if there is none.
  std::optional<size_t> FirstUnread() const;
  bool empty() const { return windows_.empty(); }
  // The last window in the order of keys. REQUIRES: not empty
  size_t front() const { return windows_.front().id; }
  void RemoveFront() { windows_.pop_front(); }
  // The first window, in the same way.
  size_t back() const { return windows_.back().id; }
  void RemoveBack() { windows_.pop_back(); }
  // All of the window was reported.
  bool Ended(size_t window) const { return Find(window)->ended; }
  const KeySpan& SpanOf(size_t window) const { return Find(window)->span; }

 private:
  struct Window {
    size_t id = 0;
    KeySpan span;
    bool whole = false;     // it is read as it is; else it is to be divided first
    bool searched = false;  // its guesses were wrong
    bool divided = false;   // it was too large before
    bool counted = false;   // its rows, or its pages, are known
    // Keys behind the window, or its last ones, and the pages between them; 0: not known.
    std::string first;
    std::string last;
    double between = 0;
    bool neighbours = false;  // they are the keys of two partitions, with none between them
    double expected = 1;      // pages
    size_t entities = 0;
    size_t pages = 0;  // that came
    size_t held = 0;   // pages in memory
    bool asked = false;
    bool ended = false;

    // It has far more pages than expected.
    bool exceeds() const { return !counted && static_cast<double>(pages) > expected + 2; }
  };
  using Place = std::list<Window>::iterator;

  Place Find(size_t window);
  std::list<Window>::const_iterator Find(size_t window) const;
  Place Insert(Place before, KeySpan span, bool whole);
  // The window has what came of it, up to this page, and windows before it have the rest. Returns
  // the rows that it keeps of the page.
  RowsOfSpan KeepRead(Place window, const EntityPage& page, RowsOfSpan rows);
  // Pages in memory.
  size_t Held() const;
  // What the partition behind the window shows, if all of it was read.
  void ReferToPartition(Window& window) const;
  // Divides the window at the pages that searches have seen.
  void DivideAtKnown(Place window);
  void Replace(Place window, std::vector<KnownKeys::Range> ranges);
  // What the rows of a page before `end` show of the keys before them.
  void Refer(Window& window, const EntityPage& page, size_t end, const Known& known) const;
  // False if that is not possible. `ahead`: windows behind it of which nothing came yet.
  bool Cut(Place window, int ahead);
  // The same, at the last key that searches have seen in the window.
  bool CutAtKnown(Place window);
  void AddBlocks(Place before, const EntityPage& page);
  size_t NextBlock();
  // So far, windows have few rows.
  bool few() const { return full_ == 0 && static_cast<double>(block_) <= page_size_; }
  void LearnForms(const EntityPage& page);

  size_t chains_;
  double window_pages_;
  size_t slots_;               // so many pages of windows may be in memory or be requested
  std::list<Window> windows_;  // the last one first
  size_t next_ = 0;            // the next number of a window
  double page_size_;           // entities of a full page
  size_t block_;               // rows of the next window, while they are few
  size_t full_ = 0;            // windows that had at least half a page
  int empty_ = 0;              // the last windows that had no entity
  double gaps_ = 0;            // the share of windows that had none lately
  ReadPartitions read_partitions_;
  KnownKeys keys_;  // of the pages that searches have seen
  std::string likely_row_;
  KeyNumbers partitions_;
  KeyNumbers rows_;  // of all partitions: they are similar
};

}  // namespace aztables
