// PageChains: see page_chains.h.
#include "read/page_chains.h"

#include <algorithm>
#include <vector>

namespace aztables {

bool PageChains::MayAsk(size_t more) {
  for (auto& [window, chain] : chains_) Slow(chain);
  return UnderWay() + more < limit_.now();
}

Status PageChains::Ask(size_t window, bool alone, const Open& open) {
  Chain& chain = chains_[window];
  if (chain.read == nullptr) chain.read = open();
  chain.asked = true;
  chain.slowed = false;
  chain.number = limit_.Sent();
  several_ = several_ || !alone;
  if (!several_) return {};
  chain.read->ReadSinglePages();
  chain.read->DropPage();
  return chain.read->Prefetch();
}

Status PageChains::Load(size_t next, const Report& report) {
  const auto window = WaitForOne();
  if (!window.ok()) return window.status();
  Chain& chain = chains_[*window];
  Slow(chain);
  const auto more = chain.read->NextPage();
  if (!more.ok()) return more.status();
  chain.asked = false;
  limit_.Came();
  if (!*more) {
    report(*window, nullptr, false);
    chain.read = nullptr;
    return {};
  }
  const bool last = chain.read->at_end();
  const RowsOfSpan rows = report(*window, &chain.read->page(), !last);
  if (rows.begin < rows.end) {
    const int64_t asked_at = chain.read->asked_at();
    chain.pages.push_back({chain.read->TakePage(), rows, asked_at, !last});
    const bool waits = *window != next || chain.pages.size() > 1;
    if (waits) chain.pages.back().page->Shrink(rows.begin, rows.end);
  }
  if (last || rows.passed) chain.read = nullptr;
  return {};
}

Result<size_t> PageChains::WaitForOne() {
  std::vector<size_t> asked;
  std::vector<PageReader*> reads;
  for (auto& [window, chain] : chains_) {
    if (!chain.asked) continue;
    asked.push_back(window);
    reads.push_back(chain.read.get());
  }
  if (!several_) return asked.front();
  const auto ready = reads.front()->WaitForOne(reads);
  if (!ready.ok()) return ready;
  return asked[*ready];
}

void PageChains::Drop(size_t window) {
  const auto chain = chains_.find(window);
  if (chain == chains_.end()) return;
  for (Page& page : chain->second.pages) GiveBack(std::move(page));
  chains_.erase(chain);
}

void PageChains::GiveBack(Page page) {
  if (page.page != nullptr) reuse_(std::move(page.page));
}

void PageChains::Slow(Chain& chain) {
  if (!chain.asked || chain.slowed || !chain.read->throttled()) return;
  chain.slowed = true;
  limit_.Refused(chain.number, UnderWay());
}

size_t PageChains::UnderWay() const {
  return static_cast<size_t>(std::count_if(chains_.begin(), chains_.end(),
                                           [](const auto& one) { return one.second.asked; }));
}

}  // namespace aztables
