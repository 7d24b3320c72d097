// BackwardScan: see backward_scan.h.
#include "read/backward_scan.h"

#include <algorithm>

#include "model/key.h"
#include "read/order_conflict_range.h"

namespace aztables {
namespace {

// If each useful page has cost more requests than this, nothing is guessed any more.
constexpr double kMostRequests = 1.3;
// Once the last entity is found, so many more may be spent.
constexpr size_t kSpareBehindSearch = 30;
// A search requests up to so many guesses of a key at once.
constexpr size_t kMostGuesses = 3;

// The part of the span from the place on.
KeySpan From(const KeyPlace& place, const KeySpan& span) {
  if (!place.row) return {std::nullopt, place.partition, true, span.high};
  if (span.partition) return {span.partition, *place.row, false, span.high};
  if (place.row->empty()) return {std::nullopt, place.partition, false, span.high};
  return {place.partition, *place.row, false, std::nullopt};
}

KeyPlace PlaceOf(const EntityPage& page, size_t row) {
  const EntityKeyView key = KeyOf(page, row);
  return {std::string(key.partition_key), std::string(key.row_key)};
}

// Whether a filter can name the keys of all rows.
bool CanNameAll(const EntityPage& page) {
  for (size_t row = 0; row < page.size(); ++row) {
    const KeyPlace place = PlaceOf(page, row);
    if (!FilterOf({place.partition, *place.row, false, std::nullopt})) return false;
  }
  return true;
}

// Loads the next page that has entities.
Result<bool> LoadSome(PageReader& reader) {
  auto more = reader.NextPage();
  while (more.ok() && *more && reader.page().size() == 0) more = reader.NextPage();
  return more;
}

bool NeedsOnlyKeys(const EntityQuery& query) { return query.select.size() == 2; }

}  // namespace

BackwardScan::BackwardScan(EntityQuery query, Setting setting)
    : query_(std::move(query)),
      setting_(std::move(setting)),
      shows_keys_(NeedsOnlyKeys(query_)),
      windows_(SpanOf(query_.filter), setting_.parallel, setting_.wanted),
      chains_(setting_.parallel, setting_.reuse) {}

Result<bool> BackwardScan::Next() {
  for (;;) {
    const bool sorted = sorted_ != nullptr;
    if (!sorted && row_ > shown_.rows.begin) {
      --row_;
      return true;
    }
    auto more = sorted ? NextSorted() : MoveOn();
    if (more.ok() && !*more && setting_.ended) setting_.ended();
    if (sorted || !more.ok() || !*more) return more;
  }
}

void BackwardScan::BeginWith(std::vector<KnownKeys::Range> ranges) {
  divided_ = !ranges.empty();
  windows_.BeginWith(std::move(ranges));
}

Result<bool> BackwardScan::MoveOn() {
  if (shown_.page != nullptr) {
    const EntityKeyView key = KeyOf(*shown_.page, shown_.rows.begin);
    last_ = EntityKey{std::string(key.partition_key), std::string(key.row_key)};
  }
  chains_.GiveBack(std::exchange(shown_, {}));
  row_ = 0;
  while (!windows_.empty()) {
    const size_t front = windows_.front();
    auto& pages = chains_.PagesOf(front);
    if (!windows_.Ended(front)) {
      AZTABLES_RETURN_IF_ERROR(StartSome());
      if (sorted_) return true;
      if (windows_.empty() || windows_.front() != front) continue;
      if (!windows_.Ended(front)) AZTABLES_RETURN_IF_ERROR(Load());
    } else if (pages.empty()) {
      chains_.Drop(front);
      windows_.RemoveFront();
    } else if (MayConflict(front)) {
      Sort();
      return true;
    } else {
      shown_ = std::move(pages.back());
      pages.pop_back();
      windows_.Return(front);
      row_ = shown_.rows.end;
      return true;
    }
  }
  return rest_ != nullptr ? ShowRest() : false;
}

bool BackwardScan::MayConflict(size_t window) {
  const auto& pages = chains_.PagesOf(window);
  return std::any_of(pages.begin(), pages.end(), [](const PageChains::Page& page) {
    return FirstConflict(*page.page, page.rows.begin, page.rows.end) < page.rows.end;
  });
}

// All rows before those that were returned.
void BackwardScan::Sort() {
  while (!windows_.empty()) {
    chains_.Drop(windows_.front());
    windows_.RemoveFront();
  }
  rest_ = nullptr;
  KeySpan rest = SpanOf(query_.filter);
  // No key has a character below the blank.
  if (last_) rest.high = (rest.partition ? last_->row_key : last_->partition_key) + ' ';
  sorted_ = setting_.open_sorted(PartOf(query_, rest));
}

Result<bool> BackwardScan::NextSorted() {
  for (;;) {
    auto more = sorted_->Next();
    if (!more.ok() || !*more || !last_) return more;
    if (IsBefore(sorted_->key(), *last_)) return true;
  }
}

bool BackwardScan::CostsTooMuch() const {
  // A read of few rows may be over before the guesses pay.
  const bool all = found_after_ > 0 && setting_.wanted == 0;
  const size_t spare =
      all ? std::min(setting_.spare, found_after_ + kSpareBehindSearch) : setting_.spare;
  return static_cast<double>(requests_) >= kMostRequests * useful_ + static_cast<double>(spare);
}

double BackwardScan::FullPages(size_t rows) {
  most_rows_ = std::max(most_rows_, rows);
  return static_cast<double>(rows) / static_cast<double>(most_rows_);
}

Status BackwardScan::StartSome() {
  if (CostsTooMuch()) return ReadRest();
  while (chains_.MayAsk(0)) {
    const auto step = windows_.Next();
    if (!step) break;
    if ((opened_ || divided_) && !FilterOf(windows_.SpanOf(step->window))) {
      Sort();
      break;
    }
    if (step->search) {
      AZTABLES_RETURN_IF_ERROR(Search(step->window));
      if (sorted_ || rest_ != nullptr) break;
      continue;
    }
    AZTABLES_RETURN_IF_ERROR(chains_.Ask(
        step->window, false, [&] { return Open(windows_.SpanOf(step->window), false); }));
  }
  return {};
}

std::unique_ptr<PageReader> BackwardScan::Open(const KeySpan& span, bool keys_only) {
  const bool part = std::exchange(opened_, true) || divided_;
  EntityQuery query = part ? PartOf(query_, span) : query_;
  if (keys_only) query.select = {"PartitionKey", "RowKey"};
  const bool first = !keys_only && !std::exchange(opened_whole_, true);
  return setting_.open(std::move(query), {first, true, part});
}

Status BackwardScan::Load() {
  std::optional<size_t> too_large;
  AZTABLES_RETURN_IF_ERROR(
      chains_.Load(windows_.front(), [&](size_t window, const EntityPage* page, bool token) {
        ++requests_;
        if (page == nullptr) {
          windows_.End(window);
          return RowsOfSpan();
        }
        const RowsOfSpan rows = windows_.Report(window, *page, token);
        useful_ += FullPages(rows.end - rows.begin);
        if (windows_.IsTooLarge(window)) too_large = window;
        return rows;
      }));
  if (!too_large) return {};
  for (const PageChains::Page& page : chains_.PagesOf(*too_large)) {
    useful_ -= FullPages(page.rows.end - page.rows.begin);
    windows_.Return(*too_large);
  }
  chains_.Drop(*too_large);
  windows_.DropPages(*too_large);
  return {};
}

Status BackwardScan::Search(size_t window) {
  const KeySpan span = windows_.SpanOf(window);
  LastRowSearch search(span, true);
  if (!windows_.likely_row().empty()) search.TryRow(windows_.likely_row());
  FoundPage found;
  while (!found.done) {
    if (CostsTooMuch()) return ReadRest();
    AZTABLES_RETURN_IF_ERROR(SearchPages(span, search, found));
  }
  if (found.unnamed) {
    Sort();
    return {};
  }
  if (found.page.page == nullptr) {
    windows_.FoundNothing(window);
    return {};
  }
  if (!CanNameAll(*found.page.page)) {
    Sort();
    return {};
  }
  if (found_after_ == 0) found_after_ = requests_;
  const auto last = windows_.Found(window, *found.page.page, found.known, found.shown);
  if (last) {
    useful_ += FullPages(found.page.page->size());
    chains_.PagesOf(*last).push_back(std::move(found.page));
  } else {
    chains_.GiveBack(std::move(found.page));
  }
  return {};
}

// Windows of which every page came stay as they are.
Status BackwardScan::ReadRest() {
  while (!chains_.idle()) AZTABLES_RETURN_IF_ERROR(Load());
  const auto last = windows_.FirstUnread();
  if (!last) return {};
  const auto spans = RestUpTo(windows_.SpanOf(*last));
  if (!spans) {
    Sort();
    return {};
  }
  for (bool more = true; more; windows_.RemoveBack()) {
    more = windows_.back() != *last;
    chains_.Drop(windows_.back());
  }
  auto file = PageFile::Make();
  if (!file.ok()) return OfTable(file.status());
  rest_ = std::move(*file);
  for (const KeySpan& span : *spans) {
    AZTABLES_RETURN_IF_ERROR(KeepAll(span));
    if (sorted_) return {};
  }
  rest_->Sort();
  return {};
}

std::optional<std::vector<KeySpan>> BackwardScan::RestUpTo(const KeySpan& window) const {
  KeySpan all = SpanOf(query_.filter);
  std::vector<KeySpan> spans;
  if (window.partition && !all.partition) {
    spans.push_back({window.partition, "", false, window.high});
    all.high = window.partition;
  } else {
    all.high = window.high;
  }
  if (!all.high || CompareKeys(all.low, *all.high) < 0) spans.push_back(std::move(all));
  const bool named =
      std::all_of(spans.begin(), spans.end(), [](const KeySpan& span) { return FilterOf(span); });
  return named ? std::optional(std::move(spans)) : std::nullopt;
}

Status BackwardScan::KeepAll(const KeySpan& span) {
  BoundPlan plan;
  plan.query = PartOf(query_, span);
  SplitScan scan(
      std::move(plan),
      [this](EntityQuery part, const SplitScan::Place&) {
        return setting_.open(std::move(part), {!std::exchange(opened_whole_, true), true, true});
      },
      setting_.parallel);
  for (;;) {
    const auto more = scan.NextPage();
    if (!more.ok() || !*more) return more.status();
    const auto [begin, end, passed] = scan.rows();
    if (FirstConflict(scan.page(), begin, end) < end) {
      Sort();
      return {};
    }
    AZTABLES_RETURN_IF_ERROR(OfTable(rest_->Add(scan.page(), scan.rows(), scan.asked_at())));
  }
}

Status BackwardScan::OfTable(const Status& status) const {
  return status.In("table " + query_.table);
}

Result<bool> BackwardScan::ShowRest() {
  if (rest_->empty()) return false;
  auto page = rest_->TakeLast();
  if (!page.ok()) return OfTable(page.status());
  shown_ = std::move(*page);
  row_ = shown_.rows.end;
  return true;
}

Status BackwardScan::SearchPages(const KeySpan& span, LastRowSearch& search, FoundPage& found) {
  // With one chain, no other request is under way.
  const size_t guesses_at_once = std::min(setting_.guesses, kMostGuesses);
  size_t most = 1;
  while (most < guesses_at_once && (setting_.parallel == 1 || chains_.MayAsk(most))) ++most;
  const auto places = search.Next(most);
  std::vector<Guess> asked;
  for (const KeyPlace& place : places) {
    const KeySpan part = From(place, span);
    if (!FilterOf(part)) {
      found.done = found.unnamed = true;
      return {};
    }
    asked.push_back({Open(part, !shows_keys_), true, shows_keys_,
                     !span.partition && (!place.row || place.row->empty())});
  }
  if (places.empty() && found.read != nullptr) {
    asked.push_back({std::move(found.read), false, found.shown, false});
  } else if (places.empty()) {
    // The first page of a read may have all of its entities. Other pages need only keys.
    const bool shown = shows_keys_ || (!opened_ && !setting_.large);
    asked.push_back({Open(span, !shown), true, shown, !span.partition});
  }
  for (Guess& guess : asked) {
    guess.read->ReadSinglePages();
    if (asked.size() > 1) AZTABLES_RETURN_IF_ERROR(guess.read->Prefetch());
  }
  for (; !asked.empty(); asked.pop_back()) {
    AZTABLES_RETURN_IF_ERROR(SearchPage(std::move(asked.back()), span, search, found));
  }
  return {};
}

Status BackwardScan::SearchPage(Guess guess, const KeySpan& span, LastRowSearch& search,
                                FoundPage& found) {
  static const EntityPage kNoEntities({});
  ++requests_;
  const auto more = LoadSome(*guess.read);
  if (!more.ok()) return more.status();
  const EntityPage& page = *more ? guess.read->page() : kNoEntities;
  const bool token = *more && !guess.read->at_end();
  const bool last = search.Report(page, token);
  found.done = search.done();
  if (!*more) return {};
  windows_.Learn(page, token);
  BackwardWindows::Known& known = found.known;
  ++known.pages;
  if (!last) return {};
  if (!guess.begins) ++known.onward;
  known.from_first = guess.from_first;
  if (found.page.page != nullptr) {
    const EntityPage& before = *found.page.page;
    known.rows = before.size();
    known.adjacent = !guess.begins;
    known.page_first = PlaceOf(before, 0);
    known.page_last = PlaceOf(before, before.size() - 1);
  }
  chains_.GiveBack(std::move(found.page));
  const int64_t asked_at = guess.read->asked_at();
  found.page = {guess.read->TakePage(), {}, asked_at};
  found.page.rows.end = found.page.page->size();
  if (!known.first) known.first = found.page.page->At(0, span.column()).view();
  found.read = std::move(guess.read);
  found.shown = guess.shown;
  return {};
}

}  // namespace aztables
