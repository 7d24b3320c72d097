// BackwardWindows: the guesses of the sizes of windows; see backward_windows.h.
#include <algorithm>
#include <cmath>

#include "model/key.h"
#include "table/backward_windows.h"

namespace aztables {
namespace {

// So many more pages may be left without a cut.
constexpr double kMostLeft = 1.3;
// If a partition has at most so many more pages, they are one window.
constexpr double kMostPagesLeft = 4;
// A window of few rows is cut as if it had so many times more: the guess should not be too small.
constexpr double kMargin = 1.2;
// After so many windows without an entity, the last entity is searched.
constexpr int kMostEmptyWindows = 2;
// After an empty window, the next one has so many times more of the range.
constexpr double kStepOverEmpty = 2;
// If all windows were empty, each window ahead would have so many times more of the range.
constexpr double kGrowthInGaps = 2;
// A page with so many times the rows is a better reference than one that is nearer.
constexpr size_t kMuchLarger = 4;

}  // namespace

// Cuts off the last window of what is left, or decides to read all of it.
bool BackwardWindows::Cut(Place window, int ahead) {
  const KeySpan& span = window->span;
  if (!span.high || empty_ >= kMostEmptyWindows) return false;
  const KeyNumbers& numbers = span.partition ? rows_ : partitions_;
  const std::string& above = CompareKeys(*span.high, window->last) < 0 ? window->last : *span.high;
  const std::string& below = CompareKeys(window->first, span.low) < 0 ? window->first : span.low;
  const KeyNumbers::Frame frame = numbers.FrameOf(below, above);
  const auto number = [&](std::string_view key) { return static_cast<double>(frame.Number(key)); };
  const double low = number(span.low);
  const double high = number(*span.high);
  double apart = std::max(1.0, number(window->last) - number(window->first));
  // The next partition is far away.
  if (window->neighbours && apart > high - low) apart = 1;
  const double page = apart / window->between;
  const double pages = few() ? kMargin * static_cast<double>(block_) / page_size_ : window_pages_;
  const double left = (high - low) / page;
  const double least = window->neighbours ? apart : 1;
  // Empty windows show that there are fewer entities than behind the window.
  const double over = std::pow(kStepOverEmpty, empty_) * std::pow(1 + kGrowthInGaps * gaps_, ahead);
  const double step = std::max(least, pages * page) * over;
  const auto like_next =
      span.partition && !few() ? read_partitions_.LeftOf(*span.partition) : std::nullopt;
  const double rest = like_next ? static_cast<double>(*like_next) / page_size_ : HUGE_VAL;
  if (rest <= kMostPagesLeft || left <= kMostLeft * std::max(1.0, pages) || high - step <= low) {
    if (left > 2 * window_pages_ && rest > kMostPagesLeft) return false;
    window->whole = true;
    window->expected = std::min(left, std::max(rest, 1.0));
    NextBlock();
    return true;
  }
  KeySpan last = span;
  last.low = frame.Key(static_cast<uint64_t>(high - step));
  last.after_low = false;
  const bool inside = CompareKeys(span.low, last.low) < 0 && CompareKeys(last.low, *span.high) < 0;
  if (!inside || !FilterOf(last)) return false;
  const double expected =
      std::max(pages, (high - number(last.low)) / page / (ahead > 0 ? over : 1));
  window->span.high = last.low;
  const bool whole = expected <= static_cast<double>(kMostPages);  // else its end is searched
  const Place cut = Insert(window, std::move(last), whole);
  cut->expected = expected;
  cut->divided = !whole;
  NextBlock();
  return true;
}

bool BackwardWindows::CutAtKnown(Place window) {
  if (few() || window->divided) return false;
  auto key = keys_.LastIn(window->span);
  if (!key) return false;
  KeySpan last = window->span;
  last.low = std::move(*key);
  last.after_low = false;
  if (!FilterOf(last)) return false;
  window->span.high = last.low;
  window->between = 0;
  Insert(window, std::move(last), true)->expected = window_pages_;
  return true;
}

void BackwardWindows::ReferToPartition(Window& window) const {
  if (window.span.partition || !window.span.high || window.searched) return;
  const auto entities = read_partitions_.EntitiesOf(*window.span.high);
  if (!entities) return;
  const std::string* const next = read_partitions_.Next(*window.span.high);
  window.first = *window.span.high;
  window.last = next == nullptr ? window.first : *next;
  window.neighbours = true;
  window.between = static_cast<double>(*entities) / page_size_;
}

// The larger one of two pages shows more.
void BackwardWindows::Refer(Window& window, const EntityPage& page, size_t end,
                            const Known& known) const {
  const EntityPage::BuiltIn column = window.span.column();
  window.neighbours = false;
  window.first = KeyAt(page, 0, column);
  window.last = KeyAt(page, end - 1, column);
  window.between = window.first == window.last ? 0 : static_cast<double>(end) / page_size_;
  if (known.rows < kMuchLarger * end) return;
  const KeyPlace& first = known.page_first;
  const KeyPlace& last = known.page_last;
  const bool one = first.partition == last.partition;
  if (window.span.partition ? !one || first.partition != *window.span.partition : one) return;
  window.first = window.span.partition ? *first.row : first.partition;
  window.last = window.span.partition ? *last.row : last.partition;
  window.between = static_cast<double>(known.rows) / page_size_;
}

}  // namespace aztables
