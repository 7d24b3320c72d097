// KnownKeys: see known_keys.h.
#include "table/known_keys.h"

#include <algorithm>
#include <utility>

#include "model/key.h"

namespace aztables {
namespace {

// Up to twice as many keys are kept, so that the last pages count as much as the first ones.
constexpr size_t kKeys = 512;
// A range has at least so many pages: one of them may be needed only to find its end.
constexpr size_t kLeastPages = 4;
// Partitions with more than so many times the pages of a range are divided. In the order of keys,
// the ranges are small, and the parts before and behind a partition cost requests too.
constexpr double kLarge = 0.25;
constexpr double kLargeInOrder = 2;
constexpr double kNever = 1e9;

using Range = KnownKeys::Range;

// Makes ranges of a span from its borders, which rise.
class Divider {
 public:
  explicit Divider(const KeySpan& span) : rest_(span) {}

  // The next range begins at the PartitionKey, or at the RowKey in it.
  void CutAt(const std::string& partition, const std::string& row, size_t pages) {
    if (rest_.partition && rest_.partition != partition) Leave(&pages);
    if (!rest_.partition && (rest_.after_low || rest_.low != partition)) {
      Emit(partition, row.empty() ? std::exchange(pages, 0) : 0);
      rest_.low = partition;
      rest_.after_low = false;
    }
    if (row.empty()) return;
    if (!rest_.partition) {
      end_ = rest_.high;
      rest_ = {partition, "", false, std::nullopt};
    }
    Emit(row, pages);
    rest_.low = row;
    rest_.after_low = false;
  }

  std::vector<Range> Finish(bool partitions, size_t pages) {
    if (partitions && rest_.partition) Leave(&pages);
    ranges_.push_back({std::move(rest_), pages});
    return std::move(ranges_);
  }

 private:
  // Ends the ranges of one partition.
  void Leave(size_t* pages) {
    const std::string partition = *rest_.partition;
    ranges_.push_back({std::move(rest_), std::exchange(*pages, 0)});
    rest_ = {std::nullopt, partition, true, end_};
  }

  void Emit(const std::string& high, size_t pages) {
    KeySpan span = rest_;
    span.high = high;
    ranges_.push_back({std::move(span), pages});
  }

  KeySpan rest_;
  std::optional<std::string> end_;  // of the PartitionKeys, while rest_ has RowKeys
  std::vector<Range> ranges_;
};

}  // namespace

void KnownKeys::Add(std::string_view partition_key, std::string_view row_key) {
  if (each_ > 1 && random_() % each_ != 0) return;
  keys_.push_back({std::string(partition_key), std::string(row_key)});
  if (keys_.size() < 2 * kKeys) return;
  Sort();
  for (size_t i = 1; i < kKeys; ++i) keys_[i] = std::move(keys_[2 * i]);
  keys_.resize(kKeys);
  each_ *= 2;
}

void KnownKeys::Sort() {
  std::sort(keys_.begin(), keys_.end(), [](const Key& a, const Key& b) {
    const int order = CompareKeys(a.partition, b.partition);
    return order != 0 ? order < 0 : CompareKeys(a.row, b.row) < 0;
  });
}

std::vector<const KnownKeys::Key*> KnownKeys::In(const KeySpan& span) const {
  std::vector<const Key*> found;
  for (const Key& key : keys_) {
    if (span.partition && key.partition != *span.partition) continue;
    const std::string& text = span.partition ? key.row : key.partition;
    if (CompareKeys(text, span.low) <= 0) continue;
    if (span.high && CompareKeys(text, *span.high) >= 0) continue;
    found.push_back(&key);
  }
  return found;
}

std::optional<std::string> KnownKeys::LastIn(const KeySpan& span) const {
  const std::string* last = nullptr;
  for (const Key* key : In(span)) {
    const std::string& text = span.partition ? key->row : key->partition;
    if (last == nullptr || CompareKeys(*last, text) < 0) last = &text;
  }
  return last != nullptr ? std::optional(*last) : std::nullopt;
}

std::vector<Range> KnownKeys::RangesOf(const KeySpan& span, size_t most, double large) const {
  const std::vector<const Key*> keys = In(span);
  const size_t ranges = std::min(most, keys.size());
  if (ranges < 2) return {};
  const double each = static_cast<double>(keys.size()) / static_cast<double>(ranges);
  Divider divider(span);
  size_t before = 0;
  for (size_t i = 1; i < ranges; ++i) {
    const size_t at = i * keys.size() / ranges;
    const Key& key = *keys[at];
    // A filter must be able to name the key.
    if (!FilterOf({key.partition, key.row, false, std::nullopt})) continue;
    const auto same = std::count_if(keys.begin(), keys.end(), [&](const Key* other) {
      return other->partition == key.partition;
    });
    const bool row =
        span.partition || (static_cast<double>(same) > large * each && !key.row.empty());
    divider.CutAt(key.partition, row ? key.row : "", (at - before) * each_);
    before = at;
  }
  return divider.Finish(!span.partition, (keys.size() - before) * each_);
}

std::vector<KeySpan> KnownKeys::Divide(const KeySpan& span, size_t most,
                                       bool keeps_partitions) const {
  if (span.partition && keeps_partitions) return {};
  most = std::min(most, In(span).size() * each_ / kLeastPages);
  std::vector<Range> all = RangesOf(span, most, keeps_partitions ? kNever : kLarge);
  std::stable_sort(all.begin(), all.end(),
                   [](const Range& a, const Range& b) { return a.pages > b.pages; });
  std::vector<KeySpan> spans;
  for (Range& range : all) spans.push_back(std::move(range.span));
  return spans;
}

std::vector<Range> KnownKeys::DivideInOrder(const KeySpan& span, double pages) const {
  const auto all = static_cast<double>(In(span).size() * each_);
  return RangesOf(span, static_cast<size_t>(all / pages), kLargeInOrder);
}

}  // namespace aztables
