// ScanWindows: see scan_windows.h.
#include "table/scan_windows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/key.h"
#include "model/limits.h"
#include "table/last_row_search.h"

namespace aztables {
namespace {

// Pages have only keys, and the end of a window needs a request, if partitions are kept. So windows
// have so many times more pages.
constexpr double kForKeys = 2;
// So many more pages may be left without a cut.
constexpr double kTolerance = 1.3;
// Fewer pages behind those in memory are no window.
constexpr double kFewest = 1.5;
// Requests for each useful page, and the requests for each chain that are spent before that.
constexpr double kMostRequests = 1.5;
constexpr double kAllowance = 2;
// While the sizes of windows are wrong by more than this, windows that have no page are made
// larger, and only so many are cut one from another.
constexpr double kCalm = 0.4;
constexpr double kNotCalm = 0.6;
constexpr int kMostAge = 2;
// The weight of a window in an average of windows.
constexpr double kWeight = 1.0 / 8;
// The most by which windows become larger.
constexpr double kMostGrown = 3;
// So many pages of one partition show that it is large, or one if the last one was.
constexpr size_t kLongRun = 4;
constexpr double kLargePartition = 1.5 * ScanWindows::kPages;
// A window without a page is asked for as if it had so many more than it probably has.
constexpr double kReserve = 0.5;
// Pages are dropped only if so many pages, in units of all memory, are to be read before them.
constexpr double kBeforeDropped = 0.5;

bool IsInside(const KeySpan& span, std::string_view after, std::string_view key) {
  return CompareKeys(after, key) < 0 && (!span.high || CompareKeys(key, *span.high) < 0);
}

}  // namespace

ScanWindows::ScanWindows(size_t chains)
    : chains_(chains),
      memory_(static_cast<double>(MostPages(chains))),
      page_size_(kMaxPageEntities),
      error_(kNotCalm) {}

void ScanWindows::KeepPartitions() {
  keeps_partitions_ = true;
  usual_ *= kForKeys;
  memory_ *= kForKeys;
}

ScanWindows::Place ScanWindows::Find(size_t window) {
  return std::find_if(windows_.begin(), windows_.end(),
                      [&](const Window& one) { return one.id == window; });
}

std::list<ScanWindows::Window>::const_iterator ScanWindows::Find(size_t window) const {
  return std::find_if(windows_.begin(), windows_.end(),
                      [&](const Window& one) { return one.id == window; });
}

size_t ScanWindows::Add(KeySpan span, size_t query) {
  Window window;
  window.query = query;
  window.id = next_++;
  window.at = span.low;
  window.span = std::move(span);
  windows_.push_back(std::move(window));
  return windows_.back().id;
}

size_t ScanWindows::AddPart(KeySpan span, double pages) {
  const size_t id = Add(std::move(span));
  windows_.back().part = true;
  windows_.back().left = pages;
  return id;
}

size_t ScanWindows::held() const {
  size_t held = 0;
  for (const Window& window : windows_) held += window.held;
  return held;
}

size_t ScanWindows::under_way() const {
  return static_cast<size_t>(std::count_if(windows_.begin(), windows_.end(),
                                           [](const Window& window) { return window.asked; }));
}

bool ScanWindows::MayCut() const {
  const double most = kMostRequests * useful_ + kAllowance * static_cast<double>(chains_);
  return chains_ > 1 && pages_ >= kFirstPages && static_cast<double>(pages_) < most;
}

// The first windows have different sizes, so that they do not end at the same time.
double ScanWindows::PagesFor(const Window& window, size_t position) const {
  double pages = usual_;
  if (pages_ < 2 * chains_) {
    const auto place = static_cast<double>(position + 1);
    pages = std::max(1.0, pages * place / static_cast<double>(chains_));
  }
  if (window.age == 0) {
    const auto held = static_cast<double>(window.held);
    return position == 0 || window.held == 0 ? pages : std::max(kFewest, pages - held);
  }
  if (error_ < kCalm) return pages;
  return window.age <= kMostAge ? pages * std::pow(2, window.age - 1) : 0;
}

ScanWindows::Window& ScanWindows::AddBehind(Place window, KeySpan span) {
  Window behind;
  behind.id = next_++;
  behind.query = window->query;
  behind.part = window->part = true;
  behind.at = span.low;
  behind.span = std::move(span);
  behind.first = window->first;
  behind.last = window->last;
  behind.between = window->between;
  behind.age = window->age + 1;
  return *windows_.insert(std::next(window), std::move(behind));
}

// Divides the window into its last partition and the partitions behind it.
void ScanWindows::LeavePartition(Place window) {
  if (keeps_partitions_) return;
  const bool large = static_cast<double>(sizes_.Last()) > kLargePartition;
  if (window->span.partition || window->run < (large ? 1 : kLongRun)) return;
  KeySpan rest = window->span;
  rest.low = window->at;
  rest.after_low = true;
  if (!FilterOf(rest)) return;
  // How many pages have other partitions is not known.
  if (window->first == window->last) window->between = 0;
  AddBehind(window, std::move(rest));
  sizes_.Add(window->at, static_cast<ptrdiff_t>(window->run));
  window->span = {window->at, "", false, std::nullopt};
  window->first = window->row_first;
  window->last = window->at = window->row_last;
  window->between = 1;
  window->run = 0;
  window->narrowed = true;
}

void ScanWindows::Cut(Place window, double pages) {
  if (window->between == 0) return;
  const KeySpan& span = window->span;
  const KeyNumbers& numbers = span.partition ? rows_ : partitions_;
  const KeyNumbers::Frame frame = numbers.FrameOf(window->first, span.high);
  const auto number = [&](std::string_view key) { return static_cast<double>(frame.Number(key)); };
  const double at = number(window->at);
  const double high = span.high ? number(*span.high) : static_cast<double>(frame.size());
  double page = std::max(1.0, number(window->last) - number(window->first)) / window->between;
  page *= std::clamp(1 / std::max(growth_, 1 / kMostGrown), 1.0, kMostGrown);
  window->left = (high - at) / page;
  if (span.partition && !span.high) {
    const ptrdiff_t seen = sizes_.PagesOf(*span.partition);
    const double more = sizes_.LeftAfter(seen).value_or(static_cast<double>(seen));
    window->left = std::min(window->left, more);
  }
  const double target = at + std::max(1.0, pages * page);
  if (pages == 0 || window->left <= kTolerance * pages || target >= high) return;
  KeySpan rest = span;
  rest.low = frame.Key(static_cast<uint64_t>(target));
  rest.after_low = false;
  if (!IsInside(span, window->at, rest.low) || !FilterOf(rest)) return;
  window->span.high = rest.low;
  Window& behind = AddBehind(window, std::move(rest));
  behind.left = window->left - pages;
  window->left = pages;
  window->expected = pages + static_cast<double>(window->pages);
}

std::optional<ScanWindows::Step> ScanWindows::Next() {
  const bool cut = MayCut();
  double reserved = 0;  // by the windows before, until they end
  size_t position = 0;
  for (Place window = windows_.begin(); window != windows_.end(); ++window, ++position) {
    const auto held = static_cast<double>(window->held);
    if (window->ended) {
      reserved += held;
      continue;
    }
    if (cut) {
      LeavePartition(window);
      Cut(window, PagesFor(*window, position));
    }
    const double before = reserved;
    reserved += held + std::clamp(window->left + kReserve, 1.0, 2 * usual_);
    if (window->asked) continue;
    const auto used = static_cast<double>(this->held() + under_way());
    if (position > 0 && (used >= memory_ || before + 1 > memory_)) return Drop(window);
    window->asked = true;
    return Step{window->id, false};
  }
  return std::nullopt;
}

std::optional<ScanWindows::Step> ScanWindows::Drop(Place window) {
  if (under_way() >= std::max<size_t>(2, chains_ / 2)) return std::nullopt;
  double before = 0;
  const auto left = [](const Window& one) { return one.ended ? 0 : std::max(1.0, one.left); };
  for (const Window& one : windows_) before += left(one);
  for (Place last = std::prev(windows_.end()); last != window; --last) {
    before -= left(*last);
    if (before < kBeforeDropped * memory_) break;
    if (last->held == 0 || last->asked || last->narrowed) continue;
    useful_ -= static_cast<double>(last->held);
    if (last->span.partition) {
      sizes_.Add(*last->span.partition, -static_cast<ptrdiff_t>(last->pages));
    }
    last->at = last->span.low;
    last->left = static_cast<double>(last->pages);
    last->pages = last->entities = last->run = 0;
    last->ended = false;
    return Step{last->id, true};
  }
  return std::nullopt;
}

double ScanWindows::FullPagesOf(const Window& window) const {
  if (keeps_partitions_) return static_cast<double>(window.pages);
  return static_cast<double>(window.entities) / page_size_;
}

void ScanWindows::Finish(Window& window) {
  window.ended = true;
  const double pages = FullPagesOf(window);
  if (window.expected > 0) {
    const double growth = pages / window.expected;
    growth_ += kWeight * (std::min(kMostGrown, growth) - growth_);
    error_ += kWeight * (std::min(1.0, std::abs(growth - 1)) - error_);
  }
  if (!window.span.partition) return;
  const bool more = std::any_of(windows_.begin(), windows_.end(), [&](const Window& other) {
    return !other.ended && other.span.partition == window.span.partition;
  });
  if (!more) sizes_.End(*window.span.partition);
}

void ScanWindows::End(size_t window) {
  Window& ended = *Find(window);
  ended.asked = false;
  ++pages_;
  Finish(ended);
}

RowsOfSpan ScanWindows::Report(size_t window, const EntityPage& page, bool token) {
  if (page.size() == 0 && !token) {
    End(window);
    return {};
  }
  const Place at = Find(window);
  at->asked = false;
  ++pages_;
  ++at->pages;
  const RowsOfSpan rows = RowsIn(at->span, page);
  const size_t count = rows.end - rows.begin;
  const bool more = token && !rows.passed;
  if (more && count > 0) page_size_ = static_cast<double>(count);
  const bool full = more || (keeps_partitions_ && count > 0);
  useful_ += full ? 1 : std::min(1.0, static_cast<double>(count) / page_size_);
  at->entities += count;
  if (at->span.partition) sizes_.Add(*at->span.partition, 1);
  if (count > 0) {
    ++at->held;
    LearnFrom(*at, page, rows, more);
  }
  if (!more) Finish(*at);
  if (at->age == 0) Spread(at);
  return rows;
}

void ScanWindows::LearnFrom(Window& window, const EntityPage& page, const RowsOfSpan& rows,
                            bool more) {
  LearnKeys(page, EntityPage::kPartitionKey, page.size(), partitions_);
  LearnKeys(page, EntityPage::kRowKey, page.size(), rows_);
  const std::string_view first = KeyAt(page, rows.begin, window.span.column());
  const std::string_view last = KeyAt(page, rows.end - 1, window.span.column());
  const bool one_partition = !window.span.partition && first == last;
  if (!more) {
    if (!window.span.high) return;
    // The part of a page that is added keeps windows of few entities small.
    window.first = window.span.low;
    window.last = *window.span.high;
    window.between = FullPagesOf(window) + 0.25;
    return;
  }
  if (keeps_partitions_) {
    // A page begins behind the last partition of the page before.
    if (window.between == 0 || window.age > 0) {
      window.first = window.pages > 1 ? window.at : std::string(first);
      window.between = 0;
    }
    window.last = last;
    ++window.between;
  } else if (one_partition && window.between > 0 && window.age == 0) {
    window.last = last;
    ++window.between;
  } else {
    window.first = first;
    window.last = last;
    window.between = 1;
  }
  window.age = 0;
  const bool same = window.run > 0 && window.at == last;
  window.at = last;
  window.run = one_partition ? (same ? window.run : 0) + 1 : 0;
  window.row_first = KeyAt(page, rows.begin, EntityPage::kRowKey);
  window.row_last = KeyAt(page, rows.end - 1, EntityPage::kRowKey);
}

void ScanWindows::Spread(Place window) {
  for (Place next = std::next(window); next != windows_.end() && next->age > 0; ++next) {
    if (next->query != window->query || next->span.partition != window->span.partition) break;
    next->first = window->first;
    next->last = window->last;
    next->between = window->between;
  }
}

}  // namespace aztables
