// PageStream: see page_stream.h.
#include "table/page_stream.h"

#include <algorithm>
#include <vector>

#include "base/encoding.h"
#include "model/limits.h"

namespace aztables {
namespace {

constexpr size_t kGrowth = 10;
// The longest PartitionKey in a filter that skips partitions. A key with a lone surrogate is not
// used either.
constexpr size_t kMaxEncodedKey = 2'000;

size_t TopFor(size_t wanted) { return wanted >= kMaxPageEntities ? 0 : wanted; }

}  // namespace

PageStream::PageStream(const ServiceClient* client, EntityQuery query, Projection projection,
                       size_t first_page, CallOptions options)
    : client_(client),
      query_(std::move(query)),
      options_(std::move(options)),
      page_(std::move(projection)),
      sequence_(client->NewSequence()),
      top_(TopFor(first_page)) {}

Status PageStream::MayAsk(const Cancel& cancel) const {
  AZTABLES_RETURN_IF_ERROR(cancel.Check());
  Status allowed = may_ask_ ? may_ask_() : Status();
  // The budget has made the previous pages small.
  const bool used_up = options_.budget.EntitiesLeft() == 0;
  return !allowed.ok() && used_up ? options_.budget.EntitiesUsedUp() : allowed;
}

size_t PageStream::NextTop() const {
  const auto left = options_.budget.EntitiesLeft();
  if (!left || *left >= static_cast<int64_t>(kMaxPageEntities)) return top_;
  // One entity shows whether there are more than the budget allows.
  const auto most = static_cast<size_t>(std::max<int64_t>(*left, 1));
  return top_ == 0 ? most : std::min(top_, most);
}

bool PageStream::MayBeCached() const { return cache_ != nullptr && !next_ && !skips_; }

std::string PageStream::CacheAddress() const {
  std::string address = client_->endpoint().connection;
  for (const std::string& name : query_.select) address += "," + name;
  if (query_.point) {
    return address + ":" + EntityAddress(query_.table, query_.point->first, query_.point->second);
  }
  return address + ":" + query_.table + "()?" + FilterText(query_.filter, query_.clauses);
}

Result<bool> PageStream::ReadCached() {
  if (under_way_ || !MayBeCached()) return false;
  const std::string* const response = cache_->Find(CacheAddress());
  if (response == nullptr) return false;
  at_end_ = true;
  if (response->empty()) return true;
  AZTABLES_RETURN_IF_ERROR(client_->HasPointAddress(query_) ? page_.ReadEntity(*response)
                                                            : page_.ReadQuery(*response));
  return true;
}

Status PageStream::Start(const Cancel& cancel) {
  AZTABLES_RETURN_IF_ERROR(MayAsk(cancel));
  if (cache_ != nullptr) generation_ = cache_->generation();
  under_way_ = client_->StartPage(query_, NextTop(), next_, options_);
  return {};
}

void PageStream::Prefetch(const Cancel& cancel) {
  if (at_end_ || under_way_) return;
  if (MayBeCached() && cache_->Find(CacheAddress()) != nullptr) return;
  // NextPage() reports any other error.
  if (Status status = Start(cancel); status.code() == Code::kInterrupt) {
    interrupted_ = std::move(status);
  }
}

Status PageStream::Wait(const Cancel& cancel, std::span<Exchange* const> others) {
  std::vector<Exchange*> waiting = {under_way_.get()};
  waiting.insert(waiting.end(), others.begin(), others.end());
  while (!under_way_->done()) {
    AZTABLES_RETURN_IF_ERROR(client_->pipeline()->WaitAny(waiting, cancel));
    std::erase_if(waiting, [](const Exchange* exchange) { return exchange->done(); });
  }
  return {};
}

// Called before the next page is requested; the last page is still available.
void PageStream::SkipToNextPartition() {
  if (!skips_ || (not_so_ != nullptr && *not_so_) || at_end_ || page_.size() == 0) return;
  if (skip_at_ == 0 && IsFixed(query_.filter, "PartitionKey")) {
    at_end_ = true;
    return;
  }
  const std::string_view last = page_.At(page_.size() - 1, EntityPage::kPartitionKey).view();
  if (PercentEncodedSize(last) > kMaxEncodedKey || HasLoneSurrogate(last)) return;
  const Comparison after_last{"PartitionKey", CompareOp::kGt, Value::String(last)};
  if (skip_at_ == 0) {
    query_.filter.push_back(after_last);
    skip_at_ = query_.filter.size();
  } else {
    query_.filter[skip_at_ - 1] = after_last;
  }
  next_ = {};
  sequence_.ForgetTokens();
}

void PageStream::MoveOn(ContinuationToken next) {
  next_ = std::move(next);
  at_end_ = !next_;
  top_ = TopFor(top_ * kGrowth);
}

Result<bool> PageStream::NextPage(const Cancel& cancel, std::span<Exchange* const> others) {
  interrupted_ = {};
  SkipToNextPartition();
  page_.Clear();
  if (!at_end_) {
    const auto cached = ReadCached();
    if (!cached.ok()) return cached.status();
    if (*cached) return page_.size() > 0;
  }
  while (!at_end_) {
    if (!under_way_) AZTABLES_RETURN_IF_ERROR(Start(cancel));
    const std::string address = MayBeCached() ? CacheAddress() : "";
    const bool caches = !address.empty();
    std::string body;
    Result<ContinuationToken> next = ContinuationToken();
    do {
      AZTABLES_RETURN_IF_ERROR(Wait(cancel, others));
      next = client_->FinishPage(query_, options_, *under_way_, sequence_, page_,
                                 caches ? &body : nullptr);
    } while (!next.ok() && client_->pipeline()->TryAgain(*under_way_, next.status()));
    under_way_.reset();
    if (!next.ok()) return next.status();
    if (Status status = options_.budget.CheckEntities(); !status.ok()) {
      page_.Clear();
      return status;
    }
    if (caches && !*next) cache_->Put(address, std::move(body), generation_);
    MoveOn(std::move(*next));
    if (page_.size() > 0) return true;
  }
  return false;
}

}  // namespace aztables
