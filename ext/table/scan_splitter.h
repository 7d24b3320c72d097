// ScanSplitter: divides a scan into ranges of keys that are read at the same time, while it runs.
// It learns from each page where the unread keys are, and does no I/O. A cut takes effect at once:
// the range that is cut drops what it reads beyond the cut, and the new range begins there. So a
// wrong guess of a key costs one request, and never a row. The borders of ranges are keys, so an
// entity is in one range, whatever is inserted or deleted meanwhile.
//
// Thread rule: values; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/key_numbers.h"
#include "odata/entity_page.h"
#include "table/key_span.h"
#include "table/known_keys.h"
#include "table/partition_sizes.h"

namespace aztables {

class ScanSplitter {
 public:
  // So many pages are read before the first cut: a small table costs no additional request.
  static constexpr size_t kFirstPages = 3;

  // From now on no partition is divided.
  void KeepPartitions() { keeps_partitions_ = true; }
  // What an earlier scan knows of the keys of the query, whose every entity is read.
  void Know(KnownKeys keys) { known_ = std::move(keys); }

  // A new range, and the one from which it was cut.
  struct New {
    size_t range;
    size_t from;
  };

  // Adds a range. The result identifies it. `more`: entities seem to follow closely behind it.
  size_t Add(KeySpan span, bool more = false);
  // Learns from a page of the range, and returns its rows in the range. `token`: the page has a
  // continuation token. REQUIRES: !Ended(range)
  RowsOfSpan Report(size_t range, const EntityPage& page, bool token);
  // The service has no more entities in the range. REQUIRES: !Ended(range)
  void End(size_t range);
  // Whether all of the range was reported. Then its number is no longer in use.
  bool Ended(size_t range) const { return !ranges_.contains(range); }
  // REQUIRES: !Ended(range)
  const KeySpan& SpanOf(size_t range) const { return ranges_.at(range).span; }
  // Whether the page under way, and another one, probably follow the last page. REQUIRES:
  // !Ended(range)
  bool GoesOn(size_t range) const;
  // Cuts the range with the most unread pages. The new range is to be read. Nothing: no cut is
  // worth a request.
  std::optional<New> Cut();

 private:
  // The keys of one range of PartitionKeys, or of RowKeys in one partition.
  struct Range {
    KeySpan span;
    std::string origin;      // the first key that is known
    std::string first;       // the first key of the range
    std::string page_first;  // of the last page
    std::string last;
    std::string row_last;   // the RowKey of the last entity
    double unknown = 0;     // pages more than known keys show
    size_t pages = 0;       // reported, of these keys
    bool verified = false;  // an entity is known at the high end or closely behind it
    bool stuck = false;     // no cut before the next page
    int in_vain = 0;        // the last cuts, which found no entity
    size_t since = 0;       // the pages since the last of them
    int misses = 0;         // the same, less one for each page
    // The pages, up to the last one, that had only entities of one partition.
    size_t run = 0;
    std::string run_partition;
    std::string run_origin;  // the first RowKey
    std::string row_first;   // of the last page

    // The keys of the last entity.
    std::string_view last_partition() const { return span.partition ? *span.partition : last; }
    std::string_view last_row() const { return span.partition ? last : row_last; }
  };
  // Places in a range, counted in pages from its last key.
  struct Distances {
    KeyNumbers::Frame frame;
    double page = 1;  // numbers per page
    double rest = 0;  // of the last partition before the page under way, in numbers
    double last = 0;  // numbers
    double origin = 0;
    double high = 0;
    double left() const { return (high - last - rest) / page; }
    // Whether the unread part is so large that a guess multiplies the known part.
    bool Gallops() const;
    // The number to which it leads.
    double Gallop() const;
  };

  const KeyNumbers& NumbersOf(const Range& range) const {
    return range.span.partition ? rows_ : partitions_;
  }
  Distances DistancesOf(const Range& range) const;
  // Whether the range should be divided into its last partition and the partitions behind it.
  bool LeavesPartition(const Range& range, const Distances& distances) const;
  // The pages behind the last one that an earlier scan has seen; nothing if they are not known.
  std::optional<double> KnownLeft(const Range& range) const;
  // The key that divides these pages in the middle; nothing: no key near the middle is known.
  std::optional<std::string> KnownMiddle(const Range& range, double left) const;
  // The pages that a cut would take from the range.
  double Weight(const Range& range) const;
  std::optional<std::string> KeyFor(const Range& range) const;
  // Makes the cut; nothing if it is not possible.
  std::optional<size_t> CutAt(Range& range);
  void Verify(const KeySpan& span, std::optional<std::string_view> first);
  // The range that ends where the span begins; null: there is none.
  Range* RangeBelow(const KeySpan& span);
  void Remove(size_t range);

  bool keeps_partitions_ = false;
  std::map<size_t, Range> ranges_;
  size_t next_ = 0;
  size_t pages_ = 0;
  KeyNumbers partitions_;
  KeyNumbers rows_;  // of all partitions: they are similar
  PartitionSizes sizes_;
  KnownKeys known_;
};

}  // namespace aztables
