// SampleFrontier: see sample_frontier.h.
#include "table/sample_frontier.h"

#include <algorithm>
#include <tuple>

#include "base/encoding.h"

namespace aztables {
namespace {

// Percent-encoded characters that a filter may have; servers refuse lines of 16 KB.
constexpr size_t kMaxFilter = 7'600;
constexpr int kMaxStep = 10;
// A gap of partitions at an unseen end counts as that much larger, because the last partition may
// be of another kind.
constexpr uint32_t kEndWeight = 4;
// So many empty probes of partitions are made before rests are probed again.
constexpr int kMostEmptyLooks = 2;
// A gap of at most so many quarters of a page is read from its beginning.
constexpr uint32_t kOnePage = 5;

constexpr char kPartitionKey[] = "PartitionKey";
constexpr char kRowKey[] = "RowKey";

Comparison Compare(const char* key, CompareOp op, const std::string& text) {
  return {key, op, Value::String(text)};
}

bool CanBeAsked(const Probe& probe) {
  const std::string filter = FilterText(probe.filter);
  return PercentEncodedSize(filter) <= kMaxFilter && !HasLoneSurrogate(filter);
}

}  // namespace

void SampleFrontier::Learn(std::string_view partition_key, std::string_view row_key) {
  rows_.Add(row_key);
  if (pages_ > 0 && partition_key == last_learnt_) return;
  partitions_.Add(partition_key);
  last_learnt_ = partition_key;
}

// Whether to probe `a` before `b`: a gap with an open end first, then the larger one.
bool SampleFrontier::IsBefore(const KeyGap& a, const KeyGap& b, const KeySpace& space) const {
  if (!a.high != !b.high) return !a.high;
  const auto size = [&](const KeyGap& gap) {
    const KeySpace::Number distance = space.Distance(gap.low.value_or(""), gap.high);
    return gap.at_end && !gap.partition ? space.Times(distance, kEndWeight) : distance;
  };
  return size(a) > size(b);
}

std::optional<size_t> SampleFrontier::PickPartitions() const {
  std::optional<size_t> best;
  for (size_t i = 0; i < gaps_.size(); ++i) {
    if (gaps_[i].partition) continue;
    if (!best || IsBefore(gaps_[i], gaps_[*best], partitions_)) best = i;
  }
  return best;
}

std::optional<size_t> SampleFrontier::PickRest(bool likely) const {
  const auto looks = [&](const KeyGap& gap) {
    const auto known = looks_.find(*gap.partition);
    return known == looks_.end() ? 0 : known->second;
  };
  std::optional<size_t> best;
  for (size_t i = 0; i < gaps_.size(); ++i) {
    if (!gaps_[i].partition || gaps_[i].likely != likely) continue;
    if (best) {
      const int more = looks(gaps_[i]) - looks(gaps_[*best]);
      if (more > 0 || (more == 0 && !IsBefore(gaps_[i], gaps_[*best], rows_))) continue;
    }
    best = i;
  }
  return best;
}

std::optional<size_t> SampleFrontier::PickGap() {
  const auto partitions = PickPartitions();
  if (hops_left_ > 0 && partitions) return partitions;
  hops_left_ = 0;
  const auto likely = PickRest(true);
  if (partitions && likely) {
    if (partitions_turns_ == 0) {
      partitions_turns_ = 1;
      empty_looks_ = 0;
      return likely;
    }
    --partitions_turns_;
    return partitions;
  }
  if (partitions) return partitions;
  return likely ? likely : PickRest(false);
}

std::optional<Probe> SampleFrontier::Next() {
  std::vector<KeyGap> refused;
  std::optional<Probe> next;
  while (!next) {
    const auto index = PickGap();
    if (!index) break;
    Probe probe = Look(*index);
    if (CanBeAsked(probe)) {
      next = std::move(probe);
    } else {
      refused.push_back(std::move(probe.gap));
    }
  }
  for (KeyGap& gap : refused) gaps_.push_back(std::move(gap));
  return next;
}

// Removes the gap from the list and returns its probe.
Probe SampleFrontier::Look(size_t index) {
  Probe probe;
  probe.gap = std::move(gaps_[index]);
  gaps_.erase(gaps_.begin() + static_cast<std::ptrdiff_t>(index));
  const KeyGap& gap = probe.gap;
  if (gap.low) Place(probe);
  const char* const key = gap.partition ? kRowKey : kPartitionKey;
  if (gap.partition) probe.filter.push_back(Compare(kPartitionKey, CompareOp::kEq, *gap.partition));
  if (probe.from) {
    probe.filter.push_back(Compare(key, CompareOp::kGe, *probe.from));
  } else if (gap.low) {
    probe.filter.push_back(Compare(key, CompareOp::kGt, *gap.low));
  }
  if (gap.high) probe.filter.push_back(Compare(key, CompareOp::kLt, *gap.high));
  if (!gap.partition && !probe.from) ReadOn(probe);
  if (gap.partition) ++looks_[*gap.partition];
  return probe;
}

// Sets where in its gap the probe begins.
void SampleFrontier::Place(Probe& probe) const {
  const KeyGap& gap = probe.gap;
  if (hops_left_ > 0 || (gap.partition && !gap.likely)) return;
  const KeySpace& space = gap.partition ? rows_ : partitions_;
  const KeySpace::Span& span = gap.partition ? gap.span : hopped_;
  if (gap.high) {
    const KeySpace::Number distance = space.Distance(*gap.low, gap.high);
    if (space.IsWithin(distance, span, kOnePage)) return;
    probe.from = space.Between(*gap.low, gap.high);
    if (!gap.at_end || !probe.from) return;
    // The empty page may have been far out. So begin at most as far beyond the known part as it is
    // long.
    const std::string& first = gap.partition ? gap.first_row : hopped_.from;
    const auto twice = space.Beyond(*gap.low, {first, *gap.low, 1}, 1, true);
    if (twice && KeyLess(*twice, *probe.from)) probe.from = twice;
    return;
  }
  const int step = std::min(gap.partition ? row_step_ : partition_step_, kMaxStep);
  if (step == 0) return;
  // If a page shows only one partition, a partition that begins before the last one would hide the
  // last one.
  const bool to_largest = !gap.partition && gap.large_partitions;
  probe.from = space.Beyond(*gap.low, span, uint32_t{1} << (3 * step), to_largest);
  probe.gallop = probe.from.has_value();
}

// The rest with which the gap's token begins, if it was not probed yet.
std::optional<size_t> SampleFrontier::RestAt(const KeyGap& gap) const {
  for (size_t i = 0; i < gaps_.size(); ++i) {
    const KeyGap& rest = gaps_[i];
    if (rest.partition && rest.partition == gap.low && rest.low == gap.resume_row && !rest.high) {
      return i;
    }
  }
  return std::nullopt;
}

// Reads a gap of partitions by the token of the previous page, together with the rest of a
// partition. It does so only if that is better than to omit the rest: little seems to be left, or
// the key is too long.
void SampleFrontier::ReadOn(Probe& probe) {
  if (!probe.gap.resume) return;
  const auto rest = RestAt(probe.gap);
  if (!rest || (gaps_[*rest].likely && CanBeAsked(probe))) return;
  probe.filter = probe.gap.resume_filter;
  probe.token = probe.gap.resume;
  gaps_.erase(gaps_.begin() + static_cast<std::ptrdiff_t>(*rest));
}

void SampleFrontier::Report(Probe probe, const PageView& view) {
  if (hops_left_ > 0) {
    --hops_left_;
    if (view.entities > 0) {
      if (pages_++ == 0) hopped_.from = view.first_partition;
      hopped_.to = view.last_partition;
      hopped_.pages = pages_;
    }
  }
  if (probe.gallop) {
    int& step = probe.gap.partition ? row_step_ : partition_step_;
    step = view.entities > 0 ? step + 1 : std::max(step - 1, 0);
  }
  const bool nothing = view.entities == 0;
  if (nothing && !probe.gap.partition && ++empty_looks_ <= kMostEmptyLooks) partitions_turns_ = 1;
  if (nothing && !probe.from && probe.gap.likely && !probe.gap.found) {
    // A page ended exactly at the end of its partition. This may also be true of other pages.
    whole_rows_ = std::max(whole_rows_, probe.gap.rows_seen);
    for (KeyGap& gap : gaps_) {
      if (!gap.found && gap.rows_seen <= whole_rows_) gap.likely = false;
    }
  }
  if (view.next) AddCut(probe, view);
  if (!probe.from) return;
  probe.gap.high = probe.from;
  probe.gap.at_end = probe.gap.at_end && nothing;
  probe.gap.found = probe.gap.found || !nothing;
  gaps_.push_back(std::move(probe.gap));
}

// Adds the gaps after a page that ended in the middle.
void SampleFrontier::AddCut(const Probe& probe, const PageView& view) {
  KeyGap rest;
  rest.low = view.last_row;
  rest.span = {view.last_partition_row, view.last_row, 1};
  if (probe.gap.partition) {
    rest.partition = probe.gap.partition;
    rest.high = probe.gap.high;
    rest.at_end = probe.gap.at_end;
    rest.likely = true;
    rest.found = true;
    rest.first_row = probe.gap.first_row;
    // The steps use the longer of both spans.
    const KeySpace::Span& before = probe.gap.span;
    if (rows_.Distance(before.from, before.to) > rows_.Distance(rest.span.from, rest.span.to)) {
      rest.span = before;
    }
    gaps_.push_back(std::move(rest));
    return;
  }
  rest.partition = view.last_partition;
  // The other partitions on the page were seen whole. They are small compared with a large one.
  const bool large = view.rows_of_last > 2 * view.rows_of_largest_else;
  rest.rows_seen = view.rows_of_last;
  rest.first_row = view.last_partition_row;
  rest.likely = large && rest.rows_seen > whole_rows_;
  gaps_.push_back(std::move(rest));

  KeyGap behind;
  behind.low = view.last_partition;
  behind.high = probe.gap.high;
  behind.at_end = probe.gap.at_end;
  behind.resume_filter = probe.filter;
  behind.resume = view.next;
  behind.resume_row = view.last_row;
  behind.large_partitions = large;
  gaps_.push_back(std::move(behind));
}

}  // namespace aztables
