// KnownKeys: see known_keys.h.
#include "table/known_keys.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "model/key.h"

namespace aztables {
namespace {

// Up to twice as many keys are kept, so that the last pages count as much as the first ones.
constexpr size_t kKeys = 512;
// A range has at least so many pages: one of them may be needed only to find its end.
constexpr double kLeastPages = 4;
// A range begins with a partition if one begins within so many times the pages of a range. Else it
// begins inside a partition. In the order of keys, the ranges are small, and the parts before and
// behind a partition cost requests too.
constexpr double kAtPartition = 0.06;
constexpr double kAtPartitionInOrder = 0.5;
constexpr double kNever = 1e9;

using Range = KnownKeys::Range;

// Makes parts of a span from its borders, which rise.
class Divider {
 public:
  explicit Divider(const KeySpan& span) : rest_(span) {}

  // The next part begins at the PartitionKey, or at the RowKey in it.
  void CutAt(const std::string& partition, const std::string& row) {
    if (rest_.partition && rest_.partition != partition) Leave();
    if (!rest_.partition && (rest_.after_low || rest_.low != partition)) {
      Emit(partition);
      rest_.low = partition;
      rest_.after_low = false;
    }
    if (row.empty()) return;
    if (!rest_.partition) {
      end_ = rest_.high;
      rest_ = {partition, "", false, std::nullopt};
    }
    Emit(row);
    rest_.low = row;
    rest_.after_low = false;
  }

  // `partitions`: the span is one of PartitionKeys.
  std::vector<KeySpan> Finish(bool partitions) {
    if (partitions && rest_.partition) Leave();
    spans_.push_back(std::move(rest_));
    return std::move(spans_);
  }

 private:
  // Ends the parts of one partition.
  void Leave() {
    const std::string partition = *rest_.partition;
    spans_.push_back(std::move(rest_));
    rest_ = {std::nullopt, partition, true, end_};
  }

  void Emit(const std::string& high) {
    KeySpan span = rest_;
    span.high = high;
    spans_.push_back(std::move(span));
  }

  KeySpan rest_;
  std::optional<std::string> end_;  // of the PartitionKeys, while rest_ has RowKeys
  std::vector<KeySpan> spans_;
};

// Whether a filter can name the keys.
bool CanName(const std::string& partition, const std::string& row) {
  return FilterOf({partition, row, false, std::nullopt}).has_value();
}

}  // namespace

void KnownKeys::Add(const EntityPage& page, const RowsOfSpan& rows, size_t full) {
  const size_t last = rows.end - 1;
  const size_t first = std::max(rows.begin, BeginOfPartition(page, last));
  const auto whole = static_cast<double>(std::max(full, page.size()));
  Add(KeyAt(page, last, EntityPage::kPartitionKey), KeyAt(page, last, EntityPage::kRowKey),
      static_cast<double>(rows.end - rows.begin) / whole,
      static_cast<double>(rows.end - first) / whole);
}

void KnownKeys::Add(std::string_view partition_key, std::string_view row_key, double pages,
                    double of_partition) {
  if (each_ > 1 && random_() % each_ != 0) return;
  keys_.push_back({std::string(partition_key), std::string(row_key),
                   pages * static_cast<double>(each_), of_partition});
  if (keys_.size() < 2 * kKeys) return;
  Sort();
  for (size_t i = 1; i < kKeys; ++i) {
    Key& key = keys_[2 * i];
    const Key& before = keys_[2 * i - 1];
    if (before.partition == key.partition) key.of_partition += before.of_partition;
    key.pages += before.pages;
    keys_[i] = std::move(key);
  }
  keys_[kKeys - 1].pages += keys_.back().pages;
  keys_.resize(kKeys);
  each_ *= 2;
}

void KnownKeys::Sort() {
  std::sort(keys_.begin(), keys_.end(),
            [](const Key& a, const Key& b) { return Compare(a, b.partition, b.row) < 0; });
}

std::optional<std::string> KnownKeys::LastIn(const KeySpan& span) const {
  const std::string* last = nullptr;
  for (const Key& key : keys_) {
    if (span.partition && key.partition != *span.partition) continue;
    const std::string& text = span.partition ? key.row : key.partition;
    if (CompareKeys(text, span.low) <= 0) continue;
    if (span.high && CompareKeys(text, *span.high) >= 0) continue;
    if (last == nullptr || CompareKeys(*last, text) < 0) last = &text;
  }
  return last != nullptr ? std::optional(*last) : std::nullopt;
}

int KnownKeys::Compare(const Key& key, std::string_view partition, std::string_view row) {
  const int order = CompareKeys(key.partition, partition);
  return order != 0 ? order : CompareKeys(key.row, row);
}

KnownKeys::Place KnownKeys::At(std::string_view partition, std::string_view row) const {
  return std::partition_point(keys_.begin(), keys_.end(),
                              [&](const Key& key) { return Compare(key, partition, row) < 0; });
}

KnownKeys::Place KnownKeys::Behind(std::string_view partition, std::string_view row) const {
  return std::partition_point(keys_.begin(), keys_.end(),
                              [&](const Key& key) { return Compare(key, partition, row) <= 0; });
}

KnownKeys::Place KnownKeys::Behind(std::string_view partition) const {
  return std::partition_point(keys_.begin(), keys_.end(), [&](const Key& key) {
    return CompareKeys(key.partition, partition) <= 0;
  });
}

std::pair<KnownKeys::Place, KnownKeys::Place> KnownKeys::KeysIn(const KeySpan& span) const {
  Place end = span.partition ? Behind(*span.partition) : keys_.end();
  if (span.high) {
    end = span.partition ? At(*span.partition, *span.high) : At(*span.high, "");
  }
  const Place begin = span.partition ? Behind(*span.partition, span.low) : Behind(span.low);
  return {begin, std::max(begin, end)};
}

double KnownKeys::Sum(Place end) const {
  const auto add = [](double sum, const Key& key) { return sum + key.pages; };
  return std::accumulate(keys_.begin(), end, 0.0, add);
}

double KnownKeys::SumBefore(std::string_view partition) const {
  const Place first = At(partition, "");
  const bool known = first != keys_.end() && first->partition == partition;
  return Sum(first) + (known ? first->pages - first->of_partition : 0);
}

double KnownKeys::SumBelow(const KeySpan& span) const {
  if (span.partition) {
    return span.low.empty() ? SumBefore(*span.partition) : Sum(Behind(*span.partition, span.low));
  }
  return span.after_low ? Sum(Behind(span.low)) : SumBefore(span.low);
}

double KnownKeys::SumUpTo(const KeySpan& span) const {
  if (!span.high) return Sum(span.partition ? Behind(*span.partition) : keys_.end());
  return span.partition ? Sum(Behind(*span.partition, *span.high)) : SumBefore(*span.high);
}

double KnownKeys::PagesIn(const KeySpan& span) const {
  return std::max(0.0, SumUpTo(span) - SumBelow(span));
}

std::vector<KnownKeys::Border> KnownKeys::BordersIn(const KeySpan& span, bool rows) const {
  std::vector<Border> borders;
  const auto [begin, end] = KeysIn(span);
  double before = Sum(begin);
  for (Place key = begin; key != end; before += key->pages, ++key) {
    if (rows) {
      if (!key->row.empty()) borders.push_back({&*key, before + key->pages});
    } else if (key == begin || std::prev(key)->partition != key->partition) {
      borders.push_back({&*key, before + key->pages - key->of_partition});
    }
  }
  return borders;
}

const KnownKeys::Border* KnownKeys::Nearest(const std::vector<Border>& borders, double pages) {
  const auto above = std::partition_point(
      borders.begin(), borders.end(), [&](const Border& border) { return border.before < pages; });
  if (above == borders.begin()) return borders.empty() ? nullptr : &borders.front();
  const auto below = std::prev(above);
  const bool up = above != borders.end() && above->before - pages < pages - below->before;
  return &*(up ? above : below);
}

double KnownKeys::PagesBehind(const KeySpan& span, std::string_view partition_key,
                              std::string_view row_key) const {
  return std::max(0.0, SumUpTo(span) - Sum(Behind(partition_key, row_key)));
}

std::optional<std::string> KnownKeys::MiddleBehind(KeySpan span, std::string_view partition_key,
                                                   std::string_view row_key, double least) const {
  const double begin = Sum(Behind(partition_key, row_key));
  const double end = SumUpTo(span);
  span.low = span.partition ? row_key : partition_key;
  const std::vector<Border> borders = BordersIn(span, span.partition.has_value());
  const Border* const border = Nearest(borders, (begin + 1 + end) / 2);
  if (border == nullptr || border->before < begin + least || border->before > end - least) {
    return std::nullopt;
  }
  return span.partition ? border->key->row : border->key->partition;
}

std::vector<Range> KnownKeys::RangesOf(const KeySpan& span, double each, double apart,
                                       bool in_order) const {
  const std::vector<Border> rows = BordersIn(span, true);
  const std::vector<Border> partitions =
      span.partition ? std::vector<Border>() : BordersIn(span, false);
  Divider divider(span);
  double last = SumBelow(span);
  double place = last;
  const auto cut = [&] {
    const Border* border = Nearest(partitions, place);
    const bool row = border == nullptr || std::abs(border->before - place) > apart;
    if (row) border = Nearest(rows, place);
    if (border == nullptr || border->before <= last) return;
    const Key& key = *border->key;
    if (!CanName(key.partition, key.row)) return;
    divider.CutAt(key.partition, row ? key.row : "");
    last = border->before;
    if (!in_order) place = last;  // the ranges behind it have less pages, or more
  };
  const double end = SumUpTo(span) - (in_order ? 1 : 0);
  while (end - place > 1.5 * each) {
    place += in_order ? each : (end - place) / std::round((end - place) / each);
    cut();
  }
  place = end;
  if (in_order) cut();
  std::vector<Range> ranges;
  for (KeySpan& part : divider.Finish(!span.partition)) {
    const double pages = SumUpTo(part) - SumBelow(part);
    ranges.push_back({std::move(part), std::max(0.0, pages)});
  }
  return ranges;
}

std::vector<KeySpan> KnownKeys::Divide(const KeySpan& span, size_t most,
                                       bool keeps_partitions) const {
  if (span.partition && keeps_partitions) return {};
  const double pages = PagesIn(span);
  most = std::min(most, static_cast<size_t>(pages / kLeastPages));
  if (most < 2) return {};
  const double each = pages / static_cast<double>(most);
  std::vector<Range> all =
      RangesOf(span, each, keeps_partitions ? kNever : kAtPartition * each, false);
  std::stable_sort(all.begin(), all.end(),
                   [](const Range& a, const Range& b) { return a.pages > b.pages; });
  std::vector<KeySpan> spans;
  for (Range& range : all) spans.push_back(std::move(range.span));
  return spans;
}

std::vector<Range> KnownKeys::DivideInOrder(const KeySpan& span, double pages) const {
  if (PagesIn(span) < 2 * pages) return {};
  return RangesOf(span, pages, kAtPartitionInOrder * pages, true);
}

}  // namespace aztables
