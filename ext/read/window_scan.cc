// WindowScan: see window_scan.h.
#include "read/window_scan.h"

#include <algorithm>

#include "read/order_conflict_range.h"

namespace aztables {

WindowScan::WindowScan(BoundPlan plan, Setting setting, size_t parallel)
    : plan_(std::move(plan)),
      setting_(std::move(setting)),
      windows_(parallel),
      chains_(parallel, setting_.reuse) {
  for (size_t i = 0; i < plan_.size(); ++i) windows_.Add(SpanOf(plan_.At(i).filter), i);
}

void WindowScan::BeginWith(std::vector<KnownKeys::Range> ranges) {
  if (ranges.empty()) return;
  windows_.RemoveFront();
  for (KnownKeys::Range& range : ranges) {
    windows_.AddPart(std::move(range.span), range.pages);
  }
}

void WindowScan::KeepPartitions(const bool* all) {
  all_ = all;
  windows_.KeepPartitions();
}

Result<bool> WindowScan::Next() {
  if (all_ != nullptr && *all_) ReturnAll();
  for (;;) {
    if (sorted_) {
      auto more = NextSorted();
      if (!more.ok() || *more) return more;
      sorted_ = nullptr;
    }
    if (row_ < shown_.rows.end) {
      ++row_;
      return true;
    }
    auto more = MoveOn();
    if (more.ok() && !*more && setting_.ended) setting_.ended();
    if (!more.ok() || !*more) return more;
  }
}

// Pages behind the current one may have skipped rows.
void WindowScan::ReturnAll() {
  if (sorted_ || shown_.page == nullptr) return;
  all_ = nullptr;
  SortFrom(row_ - 1);
  chains_.GiveBack(std::exchange(shown_, {}));
  row_ = 0;
  conflicts_ = false;
  sorted_after_ = true;
  Sort();
}

void WindowScan::SortFrom(size_t row) {
  const EntityKeyView key = KeyOf(*shown_.page, row);
  sorted_from_ = {std::string(key.partition_key), std::string(key.row_key)};
}

Result<bool> WindowScan::MoveOn() {
  chains_.GiveBack(std::exchange(shown_, {}));
  row_ = 0;
  if (std::exchange(conflicts_, false)) {
    Sort();
    return true;
  }
  while (!windows_.empty()) {
    const size_t front = windows_.front();
    if (!chains_.PagesOf(front).empty()) {
      Show(front);
      AZTABLES_RETURN_IF_ERROR(StartSome());
      return true;
    }
    if (windows_.Ended(front)) {
      chains_.Drop(front);
      windows_.RemoveFront();
      continue;
    }
    AZTABLES_RETURN_IF_ERROR(StartSome());
    AZTABLES_RETURN_IF_ERROR(Load());
  }
  if (end_) std::exchange(end_, nullptr)(record_);
  return false;
}

void WindowScan::Show(size_t window) {
  auto& pages = chains_.PagesOf(window);
  shown_ = std::move(pages.front());
  pages.pop_front();
  windows_.Return(window);
  query_ = windows_.QueryOf(window);
  row_ = shown_.rows.begin;
  if (end_) record_.Add(0, {}, *shown_.page, shown_.rows, shown_.token);
  const size_t conflict = FirstConflict(*shown_.page, row_, shown_.rows.end);
  if (conflict == shown_.rows.end) return;
  SortFrom(conflict);
  shown_.rows.end = conflict;
  conflicts_ = true;
  end_ = nullptr;
}

// The rest of the query, from its first key that the two orders may sort differently.
void WindowScan::Sort() {
  while (!windows_.empty() && windows_.QueryOf(windows_.front()) == query_) {
    chains_.Drop(windows_.front());
    windows_.RemoveFront();
  }
  EntityQuery query = plan_.At(query_);
  KeySpan rest = SpanOf(query.filter);
  rest.low = rest.partition ? sorted_from_.row_key : sorted_from_.partition_key;
  rest.after_low = false;
  sorted_ = setting_.open_sorted(PartOf(std::move(query), rest));
}

Result<bool> WindowScan::NextSorted() {
  for (;;) {
    auto more = sorted_->Next();
    if (!more.ok() || !*more) return more;
    if (sorted_after_ ? IsBefore(sorted_from_, sorted_->key())
                      : !IsBefore(sorted_->key(), sorted_from_))
      return more;
  }
}

// All cuts are made before a request is sent, so that each request names the end of its window.
Status WindowScan::StartSome() {
  std::vector<size_t> asked;
  while (chains_.MayAsk(asked.size())) {
    const auto step = windows_.Next();
    if (!step) break;
    if (!step->drop) {
      asked.push_back(step->window);
      continue;
    }
    for (size_t n = chains_.PagesOf(step->window).size(); n > 0; --n) windows_.Return(step->window);
    chains_.Drop(step->window);
  }
  for (const size_t window : asked) AZTABLES_RETURN_IF_ERROR(Ask(window));
  return {};
}

Status WindowScan::Ask(size_t window) {
  return chains_.Ask(window, windows_.size() == 1, [&] {
    const size_t index = windows_.QueryOf(window);
    const bool part = windows_.IsPart(window);
    EntityQuery query = plan_.At(index);
    if (part) query = PartOf(std::move(query), windows_.SpanOf(window));
    const SplitScan::Place place{!std::exchange(opened_, true), index + 1 == plan_.size(), part};
    return setting_.open(std::move(query), place);
  });
}

Status WindowScan::Load() {
  return chains_.Load(windows_.front(), [&](size_t window, const EntityPage* page, bool token) {
    if (page != nullptr) return windows_.Report(window, *page, token);
    windows_.End(window);
    return RowsOfSpan();
  });
}

}  // namespace aztables
