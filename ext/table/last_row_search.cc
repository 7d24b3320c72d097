// LastRowSearch: see last_row_search.h.
#include "table/last_row_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/encoding.h"
#include "model/key.h"

namespace aztables {
namespace {

// Percent-encoded characters that a filter may have; servers refuse lines of 16 KB.
constexpr size_t kMaxFilter = 7'600;
// The number of keys that are learned from a page.
constexpr size_t kLearned = 16;
// A guess multiplies the known part by at most this.
constexpr double kMostGrowth = 32;
// So often the search begins anew with keys of another form.
constexpr int kMaxForms = 5;
constexpr double kTooFew = 1.5;  // pages
constexpr uint64_t kNear = 20;
// After so many pages without an entity, a table that seems to be small is read to its end.
constexpr int kPatience = 2;
constexpr double kSmall = 12;  // pages
// After so many, a table of which few pages came is read to its end, whatever its keys seem to be.
constexpr int kMostEmpty = 4;
// The first requests of a search are sent one by one, at least until so many guesses have found
// entities.
constexpr int kOneByOne = 4;
constexpr int kHits = 2;
// Then several guesses are sent at once if more pages than this seem to be left. After the first
// such guesses, kSome pages are enough.
constexpr double kMany = 20;
constexpr double kSome = 4;
// The last entity is probably in so many pages behind the one that began at a likely key.
constexpr int kOnwardFromLikely = 2;

// Whether the known part seems to have less than so many pages.
bool IsKnownLessThan(double pages, const KeyNumbers& numbers, const UnreadKeys& unread) {
  const KeyNumbers::Frame frame = numbers.FrameOf(unread.origin, unread.high);
  const auto to_low = [&](const std::string& key) {
    return static_cast<double>(frame.Number(unread.low) - frame.Number(key));
  };
  const double page = to_low(unread.page_first) * static_cast<double>(unread.page_size) /
                      static_cast<double>(unread.page_rows);
  return to_low(unread.origin) < pages * std::max(1.0, page);
}

}  // namespace

bool KeyPlace::operator<(const KeyPlace& other) const {
  if (const int order = CompareKeys(partition, other.partition); order != 0) return order < 0;
  if (!row || !other.row) return row.has_value() && !other.row;
  return CompareKeys(*row, *other.row) < 0;
}

std::optional<Conjunction> FilterFrom(const KeyPlace& place) {
  const Value partition = Value::String(place.partition);
  Conjunction filter = One("PartitionKey", place.row ? CompareOp::kGe : CompareOp::kGt, partition);
  if (place.row && !place.row->empty()) {
    filter = {{"PartitionKey", CompareOp::kEq, partition},
              {"RowKey", CompareOp::kGe, Value::String(*place.row)}};
  }
  const std::string text = FilterText(filter);
  if (PercentEncodedSize(text) > kMaxFilter || HasLoneSurrogate(text)) return std::nullopt;
  return filter;
}

Unread UnreadAfter(const EntityPage& page) {
  const size_t last = page.size() - 1;
  const auto key = [&](size_t row, EntityPage::BuiltIn column) {
    return page.At(row, column).view();
  };
  size_t first = 0;   // of the last partition
  size_t others = 0;  // other partitions
  for (size_t row = 1; row <= last; ++row) {
    if (key(row, EntityPage::kPartitionKey) == key(row - 1, EntityPage::kPartitionKey)) continue;
    first = row;
    ++others;
  }
  const auto keys = [&](size_t begin, EntityPage::BuiltIn column) {
    UnreadKeys unread;
    unread.low = key(last, column);
    unread.origin = unread.page_first = key(begin, column);
    unread.page_rows = page.size() - begin;
    unread.page_size = page.size();
    return unread;
  };
  const size_t rows = page.size() - first;
  const bool large = rows * others >= 2 * first && rows * 20 >= page.size();
  return {keys(0, EntityPage::kPartitionKey), keys(first, EntityPage::kRowKey), large};
}

void LearnKeys(const EntityPage& page, EntityPage::BuiltIn column, size_t rows,
               KeyNumbers& numbers) {
  const size_t count = std::min(kLearned, rows);
  for (size_t i = 0; i < count; ++i) {
    const size_t back = count == 1 ? 0 : i * (rows - 1) / (count - 1);
    numbers.Add(page.At(page.size() - 1 - back, column).view());
  }
}

std::vector<std::string> GuessKeys(const KeyNumbers& numbers, const UnreadKeys& unread,
                                   double pages, double small, size_t most, double many) {
  const KeyNumbers::Frame frame = numbers.FrameOf(unread.low, unread.high);
  const uint64_t low = frame.Number(unread.low);
  const uint64_t high = unread.high ? frame.Number(*unread.high) : frame.size();
  if (high <= low) return {};
  const auto from = [&](const std::string& key) {
    return static_cast<double>(low - std::min(low, frame.Number(key)));
  };
  const auto left = static_cast<double>(high - low);
  const double page =
      std::max(1.0, from(unread.page_first) * static_cast<double>(unread.page_size) /
                        static_cast<double>(unread.page_rows));
  if (small > 0 && IsKnownLessThan(small, numbers, unread)) pages = std::max(pages, small);
  if (left < pages * page) return {};
  const double known = std::max(page, from(unread.origin));
  const double all = from(unread.origin) + left;
  const size_t count = left > many * page ? most : 1;
  const auto parts = static_cast<double>(count + 1);
  const double growth = std::min(std::pow(all / known, 1 / parts), kMostGrowth);
  std::vector<std::string> keys;
  for (size_t i = 1; i <= count; ++i) {
    const auto part = static_cast<double>(i);
    double step = left * part / parts;
    if (all > kGallop * known) step = known * std::pow(growth, part) - from(unread.origin);
    std::string key = frame.Key(low + std::max(uint64_t{1}, static_cast<uint64_t>(step)));
    const bool inside = CompareKeys(keys.empty() ? unread.low : keys.back(), key) < 0 &&
                        (!unread.high || CompareKeys(key, *unread.high) < 0);
    if (inside) keys.push_back(std::move(key));
  }
  return keys;
}

std::optional<std::string> GuessKey(const KeyNumbers& numbers, const UnreadKeys& unread,
                                    double pages, double small) {
  auto keys = GuessKeys(numbers, unread, pages, small, 1, 0);
  return keys.empty() ? std::nullopt : std::optional(std::move(keys.front()));
}

LastRowSearch::LastRowSearch(const KeySpan& span, bool to_end)
    : span_(span), to_end_(to_end), rows_(NewRows()) {
  in_partition_ = span.partition.has_value();
  if (!in_partition_) partitions_.unread.high = span.high;
}

// Without a page of the partition.
LastRowSearch::Level LastRowSearch::NewRows() const {
  Level rows;
  if (span_.partition) rows.unread.high = span_.high;
  return rows;
}

// First a key above all of the form seen, since keys of another form may follow far above. If none
// follows, the empty page is an upper bound.
std::vector<std::string> LastRowSearch::AskKeys(size_t most) {
  Level& level = in_partition_ ? rows_ : partitions_;
  if (in_partition_ && likely_row_) {
    question_ = Question::kLikely;
    auto row = *std::exchange(likely_row_, std::nullopt);
    const UnreadKeys& unread = rows_.unread;
    const bool below = !unread.high || CompareKeys(row, *unread.high) < 0;
    if (below && CompareKeys(unread.low, row) < 0) return {std::move(row)};
  }
  if (!level.unread.high && !std::exchange(level.above_asked, true)) {
    question_ = Question::kAbove;
    auto above = level.numbers.FrameOf(level.unread.low, std::nullopt).Above();
    if (above) return {std::move(*above)};
  }
  question_ = Question::kGuess;
  if (to_end_ && empty_ >= kMostEmpty && pages_ < 6) return {};
  const double small = to_end_ && empty_ >= kPatience ? kSmall : 0;
  if (hits_ < kHits || pages_ + empty_ < kOneByOne) most = 1;
  return GuessKeys(level.numbers, level.unread, kTooFew, small, most, several_ ? kSome : kMany);
}

std::vector<KeyPlace> LastRowSearch::Next(size_t most) {
  const UnreadKeys& partitions = partitions_.unread;
  const bool whole = partitions.page_first == partitions.low;      // the page had one partition
  const bool only = whole && partitions.origin == partitions.low;  // and no other is known
  from_.clear();
  found_ = false;
  question_ = Question::kOnward;
  if (!partitions_.begun) return {};
  if (onward_ > 0) {
    --onward_;
    return {};
  }
  if (in_partition_) {
    for (std::string& row : AskKeys(most)) from_.push_back({partitions.low, std::move(row)});
  } else {
    if (!only) {
      for (std::string& partition : AskKeys(most)) from_.push_back({std::move(partition), ""});
    }
    if (from_.empty() && whole) {
      question_ = Question::kNextPartition;
      from_.push_back({partitions.low, std::nullopt});
    }
  }
  std::erase_if(from_, [](const KeyPlace& place) { return !FilterFrom(place); });
  if (from_.empty()) question_ = Question::kOnward;
  several_ = several_ || from_.size() > 1;
  return from_;
}

bool LastRowSearch::Report(const EntityPage& page, bool more) {
  Level& level = in_partition_ ? rows_ : partitions_;
  const std::optional<KeyPlace> from =
      from_.empty() ? std::nullopt : std::optional(std::move(from_.back()));
  if (from) from_.pop_back();
  if (found_) return false;
  if (page.size() == 0) {
    ++empty_;
    done_ = question_ == Question::kOnward;
    if (question_ == Question::kNextPartition) {
      in_partition_ = true;
    } else if (from) {
      level.unread.high = in_partition_ ? from->row : from->partition;
    }
    return false;
  }
  found_ = true;
  done_ = !more;
  if (question_ == Question::kGuess) ++hits_;
  ++pages_;
  // What is known of one form of keys does not help with another.
  if (question_ == Question::kAbove && ++forms_ <= kMaxForms) level = {};
  if (question_ == Question::kLikely) {
    rows_ = NewRows();
    onward_ = kOnwardFromLikely;
  }
  Unread after = UnreadAfter(page);
  if (after.partitions.low != partitions_.unread.low) rows_ = NewRows();
  partitions_.MoveTo(page, EntityPage::kPartitionKey, std::move(after.partitions));
  rows_.MoveTo(page, EntityPage::kRowKey, std::move(after.rows));
  return true;
}

void LastRowSearch::Level::MoveTo(const EntityPage& page, EntityPage::BuiltIn column,
                                  UnreadKeys after) {
  LearnKeys(page, column, after.page_rows, numbers);
  if (begun) after.origin = std::move(unread.origin);
  after.high = std::move(unread.high);
  unread = std::move(after);
  begun = true;
}

bool LastRowSearch::IsNear() const {
  const Level& level = in_partition_ ? rows_ : partitions_;
  const UnreadKeys& unread = level.unread;
  if (!unread.high) return false;
  const KeyNumbers::Frame frame = level.numbers.FrameOf(unread.origin, unread.high);
  const uint64_t first = frame.Number(unread.origin);
  const uint64_t high = frame.Number(*unread.high);
  return high - frame.Number(unread.low) <= (high - first) / kNear ||
         !GuessKey(level.numbers, unread, kTooFew);
}

}  // namespace aztables
