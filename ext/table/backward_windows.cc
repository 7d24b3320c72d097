// BackwardWindows: see backward_windows.h.
#include "table/backward_windows.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "model/key.h"
#include "model/limits.h"

namespace aztables {
namespace {

constexpr size_t kManyChains = 8;
// A known range of at most so many pages is one window.
constexpr double kMostKnown = 4;
// Each window has so many times the rows of the one before.
constexpr size_t kBlockGrowth = 10;
constexpr double kWeightOfWindow = 1.0 / 32;  // in the share of empty windows
// So many pages that only tokens lead to show that guesses do not help, if they are most pages.
constexpr size_t kOnward = 4;
constexpr double kMostlyOnward = 0.75;

}  // namespace

double BackwardWindows::PagesOfWindow(size_t chains) { return chains > kManyChains ? 1.8 : 2.8; }

BackwardWindows::BackwardWindows(KeySpan span, size_t chains, size_t wanted)
    : chains_(chains),
      window_pages_(PagesOfWindow(chains)),
      slots_(chains > kManyChains ? chains * 3 / 2 : chains * 3),
      page_size_(kMaxPageEntities),
      block_(std::max<size_t>(1, wanted)) {
  Insert(windows_.end(), std::move(span), false);
}

BackwardWindows::Place BackwardWindows::Find(size_t window) {
  return std::find_if(windows_.begin(), windows_.end(),
                      [&](const Window& one) { return one.id == window; });
}

std::list<BackwardWindows::Window>::const_iterator BackwardWindows::Find(size_t window) const {
  return std::find_if(windows_.begin(), windows_.end(),
                      [&](const Window& one) { return one.id == window; });
}

BackwardWindows::Place BackwardWindows::Insert(Place before, KeySpan span, bool whole) {
  Window window;
  window.id = next_++;
  window.span = std::move(span);
  window.whole = whole;
  return windows_.insert(before, std::move(window));
}

size_t BackwardWindows::NextBlock() {
  const auto most = static_cast<size_t>(window_pages_ * page_size_);
  const size_t rows = std::min(block_, most);
  block_ = std::min(block_ * kBlockGrowth, most);
  return rows;
}

std::optional<BackwardWindows::Step> BackwardWindows::Next() {
  const size_t most = few() ? 1 : std::min(chains_, 1 + full_);
  size_t reading = 0;  // windows that are read, or whose pages are in memory
  size_t pages = 0;    // in memory or under way
  int ahead = 0;       // windows just before, of which nothing came yet
  for (const Window& window : windows_) pages += window.held + (window.asked ? 1 : 0);
  size_t far = pages;  // of windows behind the next one to be read
  for (Place window = windows_.begin(); window != windows_.end(); ++window) {
    if (window->ended || window->asked) {
      ++reading;
      far -= window->held + (window->asked ? 1 : 0);
      ahead = window->ended || window->pages > 0 ? 0 : ahead + 1;
      continue;
    }
    const size_t slots = slots_ + std::min(far, kMostPages);
    const bool room = reading < most && pages < slots && !window->exceeds();
    if (reading > 0 && (!room || (window->pages == 0 && pages + 2 > slots))) {
      return std::nullopt;
    }
    if (!window->whole) {
      if (reading == 0 && window->between == 0) ReferToPartition(*window);
      const bool cut =
          (window->between > 0 && Cut(window, ahead)) || (reading == 0 && CutAtKnown(window));
      if (cut && !window->whole) --window;  // the one that was cut off
      if (!window->whole && reading > 0) return std::nullopt;
    }
    if (!window->whole) {
      window->between = 0;
      window->searched = true;
      return Step{window->id, true};
    }
    window->asked = true;
    return Step{window->id, false};
  }
  return std::nullopt;
}

void BackwardWindows::Learn(const EntityPage& page, bool token) {
  LearnForms(page);
  if (token) page_size_ = static_cast<double>(page.size());
  keys_.Add(page, {0, page.size()}, page.size());
}

void BackwardWindows::LearnForms(const EntityPage& page) {
  LearnKeys(page, EntityPage::kPartitionKey, page.size(), partitions_);
  LearnKeys(page, EntityPage::kRowKey, page.size(), rows_);
}

// The rows of the page behind what is left of the window, in windows of known sizes.
void BackwardWindows::AddBlocks(Place before, const EntityPage& page) {
  const size_t rows = page.size();
  const auto partition = [&](size_t row) {
    return std::string(KeyAt(page, row, EntityPage::kPartitionKey));
  };
  const auto row_key = [&](size_t row) {
    return std::string(KeyAt(page, row, EntityPage::kRowKey));
  };
  const auto add = [&](KeySpan block, size_t entities) {
    const Place added = Insert(before, std::move(block), true);
    added->expected = static_cast<double>(entities) / page_size_;
    added->counted = true;
  };
  const size_t last = BeginOfPartition(page, rows - 1);
  for (size_t end = rows; end > last;) {
    const size_t begin = end - std::min(end - last, NextBlock());
    KeySpan block{partition(last), row_key(begin), false, std::nullopt};
    // The last block ends behind its last row: no key has a character below the blank.
    block.high = end < rows ? row_key(end) : row_key(rows - 1) + ' ';
    add(std::move(block), end - begin);
    end = begin;
  }
  size_t first = last;  // of the second partition
  while (first > 0 && partition(first - 1) != partition(0)) --first;
  for (size_t end = last; end > first;) {
    const size_t begin = BeginOfPartition(page, end - std::min(end - first, NextBlock()));
    add({std::nullopt, partition(begin), false, partition(end)}, end - begin);
    end = begin;
  }
}

// Guesses did not help the search, and would not help the next one either. Without this, each
// search would read the same pages again.
void BackwardWindows::DivideAtKnown(Place window) {
  keys_.Sort();
  Replace(window, keys_.DivideInOrder(window->span, window_pages_));
}

void BackwardWindows::Replace(Place window, std::vector<KnownKeys::Range> ranges) {
  if (ranges.empty()) return;
  for (auto range = ranges.rbegin(); range != ranges.rend(); ++range) {
    const Place part = Insert(window, std::move(range->span), range->pages <= kMostKnown);
    part->expected = std::max(1.0, range->pages);
    if (part->whole || !part->span.high) continue;
    part->first = part->span.low;
    part->last = *part->span.high;
    part->between = range->pages;
  }
  windows_.erase(window);
}

std::optional<size_t> BackwardWindows::FirstUnread() const {
  const auto unread = std::find_if(windows_.begin(), windows_.end(),
                                   [](const Window& window) { return !window.ended; });
  return unread == windows_.end() ? std::nullopt : std::optional(unread->id);
}

// The last entity is searched: entities may have been inserted, and few rows may be wanted.
void BackwardWindows::BeginWith(std::vector<KnownKeys::Range> ranges) {
  if (ranges.empty()) return;
  Replace(windows_.begin(), std::move(ranges));
  windows_.front().whole = false;
}

std::optional<size_t> BackwardWindows::Found(size_t id, const EntityPage& page, const Known& known,
                                             bool shown) {
  empty_ = 0;
  const Place window = Find(id);
  const size_t rows = page.size();
  likely_row_ = KeyAt(page, BeginOfPartition(page, rows - 1), EntityPage::kRowKey);
  KeySpan raised = window->span;
  raised.low = *known.first;
  raised.after_low = false;
  if (CompareKeys(window->span.low, raised.low) < 0 && FilterOf(raised)) window->span = raised;
  const std::string_view partition = KeyAt(page, 0, EntityPage::kPartitionKey);
  const std::string_view row = KeyAt(page, 0, EntityPage::kRowKey);
  size_t same = 1;  // rows of the first partition
  while (same < rows && KeyAt(page, same, EntityPage::kPartitionKey) == partition) ++same;
  std::optional<size_t> number;
  if (shown) {
    const Place last = Insert(window, window->span, true);
    last->ended = true;
    last->held = 1;
    if (same == rows) read_partitions_.Add(partition, rows);
    number = last->id;
  } else {
    AddBlocks(window, page);
  }
  Refer(*window, page, rows, known);
  window->searched = window->divided = false;
  const bool begins = window->span.partition || shown || same == rows;
  const bool apart = known.adjacent && known.page_last.partition != partition;
  if (!window->span.partition && begins && !apart && !known.from_first) {
    // What may come before the page in its first partition.
    const Place rest =
        Insert(window, {std::string(partition), "", false, std::string(row)}, same < rows);
    Refer(*rest, page, same, known);
  }
  window->span.high = KeyAt(page, begins ? 0 : same, window->span.column());
  if (CompareKeys(window->span.low, *window->span.high) >= 0) {
    windows_.erase(window);
  } else if (known.onward >= kOnward &&
             static_cast<double>(known.onward) > kMostlyOnward * static_cast<double>(known.pages)) {
    DivideAtKnown(window);
  }
  return number;
}

void BackwardWindows::FoundNothing(size_t window) {
  windows_.erase(Find(window));
  ++empty_;
}

void BackwardWindows::End(size_t id) {
  const Place window = Find(id);
  window->asked = false;
  window->ended = true;
  const auto entities = static_cast<double>(window->entities);
  gaps_ += kWeightOfWindow * ((entities > 0 ? 0 : 1) - gaps_);
  if (entities > 0) {
    empty_ = 0;
    if (entities >= page_size_ / 2) ++full_;
  } else {
    ++empty_;
  }
  if (entities < page_size_ / 4 || !window->span.high) return;
  for (Place next = std::next(window); next != windows_.end(); ++next) {
    if (next->whole) continue;
    if (next->span.partition != window->span.partition) return;
    next->neighbours = false;
    next->first = window->span.low;
    next->last = *window->span.high;
    next->between = entities / page_size_;
    return;
  }
}

RowsOfSpan BackwardWindows::Report(size_t id, const EntityPage& page, bool token) {
  const Place window = Find(id);
  window->asked = false;
  ++window->pages;
  RowsOfSpan rows = RowsIn(window->span, page);
  const bool more = token && !rows.passed;
  if (more && rows.end > rows.begin && window->exceeds() && Held() < slots_ + kMostPages) {
    rows = KeepRead(window, page, rows);
  }
  const size_t count = rows.end - rows.begin;
  window->entities += count;
  if (window->span.partition) read_partitions_.Add(*window->span.partition, count);
  if (page.size() > 0) LearnForms(page);
  if (count > 0) {
    ++window->held;
  }
  if (more && count > 0 && rows.end == page.size()) page_size_ = static_cast<double>(count);
  if (!more || rows.passed) End(id);
  return rows;
}

size_t BackwardWindows::Held() const {
  return std::accumulate(windows_.begin(), windows_.end(), size_t{0},
                         [](size_t sum, const Window& window) { return sum + window.held; });
}

RowsOfSpan BackwardWindows::KeepRead(Place window, const EntityPage& page, RowsOfSpan rows) {
  const std::string partition(KeyAt(page, rows.end - 1, EntityPage::kPartitionKey));
  const std::string row(KeyAt(page, rows.end - 1, EntityPage::kRowKey));
  const size_t begin = std::max(rows.begin, BeginOfPartition(page, rows.end - 1));
  const bool by_row = window->span.partition.has_value();
  const bool divides = !by_row && begin == rows.begin;  // the last partition, which fills the page
  KeySpan rest = window->span;                          // behind the kept rows
  rest.low = by_row ? row : partition;
  rest.after_low = by_row || divides;
  const KeySpan same{partition, row, true, std::nullopt};  // the rest of the last partition
  if (!FilterOf(rest) || (divides && !FilterOf(same))) return rows;
  const Place behind = Insert(window, rest, false);
  behind->divided = true;
  if (divides) {
    Refer(*Insert(window, same, false), page, rows.end, {});
  } else {
    behind->first = window->span.low;
    behind->last = rest.low;
    behind->between = static_cast<double>(window->pages);
    if (!by_row) rows.end = begin;
  }
  window->span.high = rest.low;
  rows.passed = true;
  return rows;
}

bool BackwardWindows::IsTooLarge(size_t id) const {
  const auto window = Find(id);
  return !window->ended && window->exceeds();
}

void BackwardWindows::DropPages(size_t id) {
  Window& window = *Find(id);
  window.whole = false;
  window.searched = window.divided = true;
  window.between = 0;
  window.pages = window.entities = 0;
}

}  // namespace aztables
