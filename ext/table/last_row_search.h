// LastRowSearch: finds the last entity of a table, or of a span of it, in few pages. It names the
// start of the next page, and learns from each page; it does no I/O. It searches the last partition
// first, then the last RowKey in it. If many pages seem to be left, it names several starts, which
// may be requested at once. The search ends with a page that has no continuation token.
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/key_numbers.h"
#include "odata/entity_page.h"
#include "odata/filter.h"
#include "table/key_span.h"

namespace aztables {

// A place in the order of entities: before the entity of these keys or, without a row, after every
// entity of the partition.
struct KeyPlace {
  std::string partition;
  std::optional<std::string> row;

  bool operator<(const KeyPlace& other) const;
};

// The filter for the entities from `place` on: those of its partition if it is within one, else of
// all partitions. Nothing if no filter can hold the keys.
std::optional<Conjunction> FilterFrom(const KeyPlace& place);

// PartitionKeys after a page, or RowKeys of its last partition.
struct UnreadKeys {
  std::string low;                  // all are above
  std::optional<std::string> high;  // all are below
  std::string origin;               // the first key that is known; the page's if no other is
  std::string page_first;           // the page had the keys from here to `low`
  size_t page_rows = 1;
  size_t page_size = 1;  // entities of the whole page
};

// What follows a page.
struct Unread {
  UnreadKeys partitions;
  UnreadKeys rows;  // of the last partition
  // The page had far more rows of the last partition than of others, so that more may follow.
  bool large = false;

  KeyPlace place() const { return {partitions.low, rows.low}; }
};
// REQUIRES: a page that is not empty
Unread UnreadAfter(const EntityPage& page);

// Learns the last `rows` keys of the page, or some of them.
void LearnKeys(const EntityPage& page, EntityPage::BuiltIn column, size_t rows,
               KeyNumbers& numbers);

// If the unread part is so much larger than the known part, a guess multiplies the known part.
inline constexpr double kGallop = 8;

// A text from which to read the next page: at most 32 times as far from the origin as `low`, or
// halfway to `high`. Nothing if the keys seem to have less than so many pages, or less than `small`
// pages if the keys up to `low` have less than that too.
std::optional<std::string> GuessKey(const KeyNumbers& numbers, const UnreadKeys& unread,
                                    double pages, double small = 0);

// The same, but up to `most` texts that are evenly spread, in the order of keys, if more than
// `many` pages seem to be left.
std::vector<std::string> GuessKeys(const KeyNumbers& numbers, const UnreadKeys& unread,
                                   double pages, double small, size_t most, double many);

class LastRowSearch {
 public:
  LastRowSearch() : LastRowSearch({}, false) {}
  // `to_end`: the search will not be given up. So it avoids guesses that a small table does not
  // need.
  LastRowSearch(const KeySpan& span, bool to_end);
  // In the last partition, the search asks for the page from this RowKey first.
  void TryRow(std::string row) { likely_row_ = std::move(row); }

  // The starts of the next pages in the order of keys, at most so many. None: the next page starts
  // at the end of the last page that had entities.
  std::vector<KeyPlace> Next(size_t most = 1);
  // The page from there; of several, the last one first. It returns whether the page is the last
  // one that has entities so far. REQUIRES: an empty page has no token (follow it first)
  bool Report(const EntityPage& page, bool more);

  // The last page that had entities has the last entity.
  bool done() const { return done_; }
  // Whether that page seems to be near the last entity: less than one and a half pages or a
  // twentieth of the keys seem to follow it.
  bool IsNear() const;

 private:
  struct Level {
    KeyNumbers numbers;
    UnreadKeys unread;
    bool begun = false;  // a page was reported
    bool above_asked = false;

    void MoveTo(const EntityPage& page, EntityPage::BuiltIn column, UnreadKeys after);
  };
  enum class Question { kOnward, kNextPartition, kLikely, kAbove, kGuess };

  std::vector<std::string> AskKeys(size_t most);
  Level NewRows() const;

  KeySpan span_;
  bool to_end_;
  Level partitions_;
  Level rows_;                 // of the last partition seen
  bool in_partition_ = false;  // no other partition follows
  bool done_ = false;
  std::optional<std::string> likely_row_;
  int onward_ = 0;  // so many next pages have no guess before them
  int forms_ = 0;   // of keys, after the first one
  int empty_ = 0;   // pages without an entity
  int pages_ = 0;   // others
  int hits_ = 0;    // guesses that found entities
  Question question_ = Question::kOnward;
  std::vector<KeyPlace> from_;  // of the pages to be reported
  bool found_ = false;          // one of them has come and had entities
  bool several_ = false;        // there were several at once
};

}  // namespace aztables
