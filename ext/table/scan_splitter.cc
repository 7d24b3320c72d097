// ScanSplitter: see scan_splitter.h.
#include "table/scan_splitter.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/key.h"
#include "model/limits.h"
#include "table/last_row_search.h"

namespace aztables {
namespace {

// A cut must take more pages than this.
constexpr double kWorth = 1.5;
// The same, if the keys are known.
constexpr double kWorthKnown = 0.9;
// If a range seems to have so many pages, the page under way and the next one are needed.
constexpr double kCertain = 2.5;
// So many pages of one partition show that it is large.
constexpr size_t kRun = 4;
// The first entity of a range is close to its low end if it is within so many pages.
constexpr double kClose = 2;
// After so many cuts that found no entity, a guess multiplies the last page, not all that was read.
constexpr int kLocal = 2;
// After so many pages of the range, the guesses are as before.
constexpr size_t kForgets = 16;
// The form of the keys is learned from the first pages of a range, and from a part of the others.
constexpr size_t kNewPages = 3;
constexpr size_t kLearnEach = 4;
// Each cut that found no entity divides the weight of the next one by this.
constexpr double kForMiss = 4;
// So many pages more than those that were known show that the known keys are outdated.
constexpr double kUnknown = 2;
// A known key is in the middle if each part has the pages divided by this.
constexpr double kUneven = 4;

}  // namespace

bool ScanSplitter::Distances::Gallops() const {
  return high - origin > kGallop * std::max(last - origin, page);
}

double ScanSplitter::Distances::Gallop() const {
  return origin + std::sqrt(std::max(last - origin, page) * (high - origin));
}

size_t ScanSplitter::Add(KeySpan span, bool more) {
  Range range;
  range.verified = more;
  range.span = std::move(span);
  ranges_.emplace(next_, std::move(range));
  return next_++;
}

ScanSplitter::Distances ScanSplitter::DistancesOf(const Range& range) const {
  const std::string& from = range.verified ? range.page_first : range.origin;
  Distances result{NumbersOf(range).FrameOf(from, range.span.high)};
  const auto number = [&](std::string_view key) {
    return static_cast<double>(result.frame.Number(key));
  };
  result.last = number(range.last);
  const double first = std::min(number(range.page_first), result.last);
  result.origin = std::min(number(range.origin), result.last);
  // Halving found nothing: what is left is near, compared to what was read.
  if (range.in_vain >= kLocal) result.origin = first;
  result.page = std::max(1.0, result.last - first);
  if (first == result.last && range.run > 0) {  // a page has less than a partition
    const double all = result.last - std::min(number(range.first), result.last);
    result.page = std::max(1.0, all) / static_cast<double>(all > 0 ? range.pages : range.run);
    result.rest = std::max(0.0, 1 - result.page);
  }
  const double size = static_cast<double>(result.frame.size());
  result.high = std::max(result.last, range.span.high ? number(*range.span.high) : size);
  return result;
}

std::optional<double> ScanSplitter::KnownLeft(const Range& range) const {
  if (known_.empty() || range.unknown >= kUnknown || range.pages == 0) return std::nullopt;
  return known_.PagesBehind(range.span, range.last_partition(), range.last_row());
}

std::optional<std::string> ScanSplitter::KnownMiddle(const Range& range, double left) const {
  return known_.MiddleBehind(range.span, range.last_partition(), range.last_row(),
                             std::max(1.0, left / kUneven));
}

bool ScanSplitter::LeavesPartition(const Range& range, const Distances& distances) const {
  if (range.span.partition || range.run == 0 || keeps_partitions_) return false;
  if (const auto known = KnownLeft(range)) return !KnownMiddle(range, *known);
  if (distances.left() < kWorth) return true;  // nothing else is left of the range
  const auto left = sizes_.LeftAfter(static_cast<ptrdiff_t>(range.run));
  return range.run >= kRun && (!left || *left > distances.left());
}

// One page is under way: it takes no cut to read it.
double ScanSplitter::Weight(const Range& range) const {
  if (range.pages == 0 || range.stuck) return 0;
  if (range.span.partition && keeps_partitions_) return 0;
  const Distances distances = DistancesOf(range);
  const bool leaves = LeavesPartition(range, distances);
  if (const auto known = KnownLeft(range)) {
    return (*known - (leaves ? 2 : 1)) / std::pow(kForMiss, range.misses);
  }
  double weight = distances.left() - 1;
  if (leaves) {
    const auto run = static_cast<double>(range.run);
    weight = std::max(distances.left(),
                      sizes_.LeftAfter(static_cast<ptrdiff_t>(range.run)).value_or(2 * run));
  } else if (!range.verified) {
    const double gallop = (distances.Gallop() - distances.last) / distances.page;
    weight = distances.Gallops() ? gallop : distances.left() / 2;
    if (!range.span.high && !range.span.partition) {
      weight = 2.0 * static_cast<double>(pages_);  // the end of all keys is searched first
    } else if (!range.span.high) {
      const auto left = sizes_.LeftAfter(sizes_.PagesOf(*range.span.partition));
      weight = left ? *left - 1 : std::min(weight, 2.0 * static_cast<double>(range.pages));
    }
  }
  weight = std::min(weight, static_cast<double>(range.span.high ? pages_ : 2 * pages_));
  return weight / std::pow(kForMiss, range.misses);
}

std::optional<std::string> ScanSplitter::KeyFor(const Range& range) const {
  if (const auto known = KnownLeft(range)) return KnownMiddle(range, *known);
  const Distances distances = DistancesOf(range);
  const double behind = distances.last + distances.rest + distances.page;  // the page under way
  double to = (behind + distances.high) / 2;
  if (!range.verified && distances.Gallops()) to = std::max(distances.Gallop(), behind);
  if (range.span.partition && !range.span.high) {
    const auto left = sizes_.LeftAfter(sizes_.PagesOf(*range.span.partition));
    if (left) to = behind + (*left - 1) / 2 * distances.page;
  }
  std::optional<std::string> key;
  if (distances.high - distances.last < 2) {  // no number is between them
    if (!range.span.high) key = distances.frame.Above();
  } else if (to < distances.high) {
    key = distances.frame.Key(static_cast<uint64_t>(to));
  }
  if (!key || CompareKeys(*key, range.last) <= 0) return std::nullopt;
  if (range.span.high && CompareKeys(*key, *range.span.high) >= 0) return std::nullopt;
  return key;
}

std::optional<size_t> ScanSplitter::CutAt(Range& range) {
  KeySpan span = range.span;
  if (LeavesPartition(range, DistancesOf(range))) {
    span.low = range.last;
    span.after_low = true;
    if (!FilterOf(span)) return std::nullopt;
    const size_t id = Add(std::move(span), range.verified);
    ranges_.at(id).origin = range.origin;
    sizes_.Add(range.last, static_cast<ptrdiff_t>(range.run));
    range.span = {range.last, "", false, std::nullopt};
    range.origin = range.run_origin;
    range.page_first = range.row_first;
    range.last = range.row_last;
    range.pages = range.run;
    range.verified = false;
    range.misses = range.in_vain = 0;
    return id;
  }
  auto key = KeyFor(range);
  if (!key) return std::nullopt;
  span.low = std::move(*key);
  span.after_low = false;
  if (!FilterOf(span)) return std::nullopt;
  range.span.high = span.low;
  const size_t id = Add(std::move(span), std::exchange(range.verified, false));
  ranges_.at(id).origin = range.origin;
  return id;
}

bool ScanSplitter::GoesOn(size_t id) const {
  const Range& range = ranges_.at(id);
  if (range.pages == 0) return false;
  if (const auto known = KnownLeft(range)) return *known >= kCertain - 1;
  const auto& partition = range.span.partition;
  if (!partition || range.span.high) return DistancesOf(range).left() >= kCertain;
  const auto left = sizes_.LeftAfter(sizes_.PagesOf(*partition));
  return left && *left >= kCertain;
}

std::optional<ScanSplitter::New> ScanSplitter::Cut() {
  if (pages_ < kFirstPages) return std::nullopt;
  for (;;) {
    auto best = ranges_.end();
    double most = known_.empty() ? kWorth : kWorthKnown;
    for (auto range = ranges_.begin(); range != ranges_.end(); ++range) {
      const double weight = Weight(range->second);
      if (weight <= most) continue;
      most = weight;
      best = range;
    }
    if (best == ranges_.end()) return std::nullopt;
    if (const auto cut = CutAt(best->second)) return New{*cut, best->first};
    best->second.stuck = true;
  }
}

// The first entity of a range, if there is one, shows whether entities follow closely behind its
// low end, where another range ends.
void ScanSplitter::Verify(const KeySpan& span, std::optional<std::string_view> first) {
  Range* below = RangeBelow(span);
  if (below != nullptr) {
    below->verified = false;
    if (first && below->pages > 0) {
      const Distances distances = DistancesOf(*below);
      const auto at = static_cast<double>(distances.frame.Number(*first));
      below->verified = at - distances.high <= kClose * distances.page;
    }
  }
  // Other ranges without a page may lie between it and the range from which it was cut.
  for (; below != nullptr; below = below->pages == 0 ? RangeBelow(below->span) : nullptr) {
    below->misses = first ? 0 : below->misses + 1;
    below->in_vain = first ? 0 : below->in_vain + 1;
    below->since = 0;
  }
}

ScanSplitter::Range* ScanSplitter::RangeBelow(const KeySpan& span) {
  for (auto& [id, range] : ranges_) {
    const bool meets = range.span.high && *range.span.high == span.low;
    const bool begins_below =
        CompareKeys(range.span.low, span.low) < 0;  // a query may have no keys
    if (meets && begins_below && range.span.partition == span.partition) return &range;
  }
  return nullptr;
}

void ScanSplitter::End(size_t id) {
  const Range& range = ranges_.at(id);
  ++pages_;
  if (range.pages == 0) Verify(range.span, std::nullopt);
  Remove(id);
}

void ScanSplitter::Remove(size_t id) {
  const auto partition = std::move(ranges_.at(id).span.partition);
  ranges_.erase(id);
  const bool more = std::any_of(ranges_.begin(), ranges_.end(), [&](const auto& other) {
    return other.second.span.partition == partition;
  });
  if (partition && !more) sizes_.End(*partition);
}

RowsOfSpan ScanSplitter::Report(size_t id, const EntityPage& page, bool token) {
  if (page.size() == 0 && !token) {
    End(id);
    return {};
  }
  Range& range = ranges_.at(id);
  ++pages_;
  const RowsOfSpan rows = RowsIn(range.span, page);
  if (range.span.partition && rows.end > rows.begin) sizes_.Add(*range.span.partition, 1);
  if (page.size() > 0) {
    if (range.pages == 0) Verify(range.span, KeyAt(page, 0, range.span.column()));
    if (range.pages < kNewPages || pages_ % kLearnEach == 0) {
      LearnKeys(page, EntityPage::kPartitionKey, page.size(), partitions_);
      LearnKeys(page, EntityPage::kRowKey, page.size(), rows_);
    }
  }
  if (!token || rows.passed) {
    Remove(id);
    return rows;
  }
  range.stuck = false;
  range.misses = std::max(0, range.misses - 1);
  if (++range.since == kForgets) range.in_vain = 0;
  if (rows.end == rows.begin) return rows;  // the next page shows more
  const auto known = KnownLeft(range);
  const EntityPage::BuiltIn column = range.span.column();
  const size_t last = rows.end - 1;
  const bool sparse = rows.end - rows.begin < kMaxPageEntities && range.pages > 0;
  range.page_first = sparse ? range.last : std::string(KeyAt(page, rows.begin, column));
  range.last = KeyAt(page, last, column);
  if (range.origin.empty()) range.origin = range.page_first;
  if (range.pages == 0) range.first = range.page_first;
  ++range.pages;
  range.row_last = KeyAt(page, last, EntityPage::kRowKey);
  if (known) {
    const double pages =
        static_cast<double>(rows.end - rows.begin) / static_cast<double>(page.size());
    range.unknown = std::max(0.0, range.unknown + pages - (*known - *KnownLeft(range)));
  }
  const std::string_view partition = KeyAt(page, last, EntityPage::kPartitionKey);
  if (range.span.partition || KeyAt(page, rows.begin, EntityPage::kPartitionKey) != partition) {
    range.run = 0;
    return rows;
  }
  if (partition != range.run_partition) range.run = 0;
  range.run_partition = partition;
  range.row_first = KeyAt(page, rows.begin, EntityPage::kRowKey);
  if (range.run++ == 0) range.run_origin = range.row_first;
  return rows;
}

}  // namespace aztables
