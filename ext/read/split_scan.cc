// SplitScan: see split_scan.h.
#include "read/split_scan.h"

#include <algorithm>
#include <utility>

namespace aztables {
namespace {

// For each request that may be under way, so many queries are begun.
constexpr size_t kQueriesAhead = 8;

}  // namespace

EntityQuery PartOf(EntityQuery query, const KeySpan& span) {
  query.kind = ReadKindName(span.partition ? ReadKind::kRowRange : ReadKind::kPartitionRange);
  if (auto filter = Within(span, query.filter)) query.filter = std::move(*filter);
  return query;
}

SplitScan::SplitScan(BoundPlan plan, OpenReader open, size_t parallel)
    : plan_(std::move(plan)), open_(std::move(open)), limit_(parallel) {}

Result<bool> SplitScan::Next() {
  if (row_ == rows_.end) {
    auto more = NextPage();
    if (!more.ok() || !*more) return more;
  }
  ++row_;
  return true;
}

Result<bool> SplitScan::NextPage() {
  row_ = rows_.end;
  while (row_ == rows_.end) {
    AZTABLES_RETURN_IF_ERROR(StartSome());
    if (chains_.empty()) {
      if (end_) std::exchange(end_, nullptr)(record_);
      return false;
    }
    AZTABLES_RETURN_IF_ERROR(Load());
  }
  return true;
}

void SplitScan::KeepPartitions(const bool* all) {
  all_ = all;
  splitter_.KeepPartitions();
}

Status SplitScan::Load() {
  const auto ready = WaitForOne();
  if (!ready.ok()) return ready.status();
  const auto chain = chains_.begin() + static_cast<ptrdiff_t>(*ready);
  if (chain->read->throttled()) Slow(*chain);
  if (split_ && shown_ != nullptr) shown_->DropPage();
  ended_ = nullptr;
  ReadOn();
  const auto more = chain->read->NextPage();
  if (!more.ok()) return more.status();
  const bool reads_on = std::exchange(chain->reads_on, false);
  chain->asked = chain->slowed = false;
  limit_.Came();
  shown_ = chain->read.get();
  rows_ = {};
  if (*more) {
    const KeySpan span = splitter_.SpanOf(chain->range);
    const bool token = !shown_->at_end();
    rows_ = splitter_.Report(chain->range, shown_->page(), token);
    if (end_) record_.Add(chain->range, span, shown_->page(), rows_, token);
  } else {
    splitter_.End(chain->range);
  }
  if (all_ != nullptr) KeepPartition(*chain);
  row_ = rows_.begin;
  if (splitter_.Ended(chain->range)) {
    shown_->DropRequest();
    ended_ = std::move(chain->read);
    chains_.erase(chain);
  } else {
    if (reads_on) AZTABLES_RETURN_IF_ERROR(Ask(*chain));
    std::rotate(chain, chain + 1, chains_.end());
  }
  return StartSome();
}

// So a request does not wait until the page before it, and those that came with it, are parsed.
void SplitScan::ReadOn() {
  if (!split_ || all_ != nullptr || UnderWay() > limit_.now()) return;
  for (Chain& chain : chains_) {
    if (!chain.asked || chain.read->waits() || !splitter_.GoesOn(chain.range)) continue;
    chain.reads_on = true;
    chain.read->ReadOn();
  }
}

void SplitScan::KeepPartition(Chain& chain) {
  const auto partition = [&](size_t row) {
    return shown_->page().At(row, EntityPage::kPartitionKey).view();
  };
  while (!*all_ && rows_.begin < rows_.end && partition(rows_.begin) == chain.partition) {
    ++rows_.begin;
  }
  if (rows_.begin < rows_.end) chain.partition = partition(rows_.end - 1);
}

SplitScan::Chain* SplitScan::Continued() {
  if (all_ == nullptr || !*all_ || chains_.empty()) return nullptr;
  const auto shown = std::find_if(chains_.begin(), chains_.end(),
                                  [&](const Chain& chain) { return chain.read.get() == shown_; });
  return shown != chains_.end() ? &*shown : &chains_.front();
}

Result<size_t> SplitScan::WaitForOne() {
  if (!split_) return 0;
  const Chain* const only = Continued();
  std::vector<size_t> asked;
  std::vector<PageReader*> reads;
  for (size_t i = 0; i < chains_.size(); ++i) {
    if (!chains_[i].asked || (only != nullptr && only != &chains_[i])) continue;
    asked.push_back(i);
    reads.push_back(chains_[i].read.get());
  }
  const auto ready = reads.front()->WaitForOne(reads);
  if (!ready.ok()) return ready;
  return asked[*ready];
}

// All cuts are made before a request is sent, so that each request names the end of its range.
Status SplitScan::StartSome() {
  for (Chain& chain : chains_) {
    if (!chain.slowed && chain.read->throttled()) Slow(chain);
  }
  Chain* const only = Continued();
  // The queries take turns. So the last pages are those of several queries.
  const size_t most = limit_.now() * (known_.empty() && all_ == nullptr ? kQueriesAhead : 1);
  while (only == nullptr && chains_.size() < most && AddNext()) {
  }
  while (only == nullptr && chains_.size() < limit_.now() && AddCut()) {
  }
  for (Chain& chain : chains_) {
    if (chain.read == nullptr) chain.read = Open(chain);
  }
  split_ = split_ || chains_.size() > 1;
  if (!split_) return {};
  for (Chain& chain : chains_) {
    const bool may = only == nullptr ? UnderWay() < limit_.now() : only == &chain;
    const bool returned = chain.read.get() != shown_ || row_ == rows_.end;
    if (!chain.asked && may && (returned || all_ == nullptr)) {
      AZTABLES_RETURN_IF_ERROR(Ask(chain));
    }
  }
  return {};
}

bool SplitScan::AddNext() {
  if (next_ == (known_.empty() ? plan_.size() : known_.size())) return false;
  if (known_.empty()) {
    chains_.push_back({next_, splitter_.Add(SpanOf(plan_.At(next_).filter))});
  } else {
    // Entities seem to follow behind each known end.
    const bool more = known_[next_].high.has_value();
    chains_.push_back({0, splitter_.Add(known_[next_], more), true});
  }
  ++next_;
  return true;
}

bool SplitScan::AddCut() {
  const auto cut = splitter_.Cut();
  if (!cut) return false;
  const auto from = std::find_if(chains_.begin(), chains_.end(),
                                 [&](const Chain& chain) { return chain.range == cut->from; });
  chains_.push_back({from->query, cut->range, true});
  return true;
}

std::unique_ptr<PageReader> SplitScan::Open(const Chain& chain) {
  EntityQuery query = plan_.At(chain.query);
  const Place place{!std::exchange(opened_, true), chain.query + 1 == plan_.size(), chain.part};
  if (chain.part) query = PartOf(std::move(query), splitter_.SpanOf(chain.range));
  return open_(std::move(query), place);
}

Status SplitScan::Ask(Chain& chain) {
  chain.read->ReadSinglePages();
  if (chain.read.get() != shown_) chain.read->DropPage();
  chain.asked = true;
  chain.number = limit_.Sent();
  return chain.read->Prefetch();
}

size_t SplitScan::UnderWay() const {
  return static_cast<size_t>(std::count_if(chains_.begin(), chains_.end(),
                                           [](const Chain& chain) { return chain.asked; }));
}

void SplitScan::Slow(Chain& chain) {
  chain.slowed = true;
  limit_.Refused(chain.number, UnderWay());
}

}  // namespace aztables
