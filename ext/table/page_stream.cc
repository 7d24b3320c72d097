// PageStream: see page_stream.h.
#include "table/page_stream.h"

#include <algorithm>
#include <utility>
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
                       size_t first_page, CallOptions options, PagePool* pool)
    : client_(client),
      pool_(pool),
      projection_(std::move(projection)),
      query_(std::move(query)),
      options_(std::move(options)),
      page_(pool != nullptr ? pool->Take(projection_) : std::make_unique<EntityPage>(projection_)),
      sequence_(client->NewSequence()),
      expected_(first_page),
      top_(TopFor(first_page)) {}

PageStream::~PageStream() {
  if (pool_ == nullptr) return;
  pool_->Return(std::move(page_));
}

void PageStream::DropPage() {
  if (pool_ == nullptr || page_ == nullptr) return;
  RememberPartition();
  pool_->Return(std::move(page_));
}

Status PageStream::MayAsk(const Cancel& cancel) const {
  AZTABLES_RETURN_IF_ERROR(cancel.Check());
  Status allowed = may_ask_ ? may_ask_() : Status();
  // The budget has made the previous pages small.
  const bool used_up = options_.budget.EntitiesLeft() == 0;
  return !allowed.ok() && used_up ? options_.budget.EntitiesUsedUp() : allowed;
}

size_t PageStream::NextTop(size_t top) const {
  const auto left = options_.budget.EntitiesLeft();
  if (!left || *left >= static_cast<int64_t>(kMaxPageEntities)) return top;
  // One entity shows whether there are more than the budget allows.
  const auto most = static_cast<size_t>(std::max<int64_t>(*left, 1));
  return top == 0 ? most : std::min(top, most);
}

PageStream::Asked PageStream::Ask(size_t top, ContinuationToken from, bool waits) {
  auto exchange = client_->StartPage(query_, NextTop(top), from, options_, waits);
  return {std::move(exchange), std::move(from), clock_ ? clock_() : 0};
}

bool PageStream::MayReadAhead() const {
  const Limits& limits = options_.budget.limits;
  const bool limited = limits.max_requests || limits.max_entities || limits.max_time;
  const bool near = expected_ > 0 && received_ + kMaxPageEntities >= expected_;
  const bool wanted = single_ ? reads_on_ : pages_ > 1;
  return wanted && !skips_ && !limited && !near && !client_->endpoint().local;
}

void PageStream::ReadAhead(const Cancel& cancel) {
  const Response* const head = under_way_.exchange->head();
  if (ahead_.exchange || head == nullptr || head->status != 200 || !MayReadAhead()) return;
  ContinuationToken next = ServiceClient::NextOf(*head);
  if (!next || sequence_.Knows(next)) return;
  // NextPage() reports an error.
  if (MayAsk(cancel).ok()) ahead_ = Ask(TopFor(top_ * kGrowth), std::move(next), false);
}

bool PageStream::MayBeCached() const { return cache_ != nullptr && !next_ && !skips_; }

std::string PageStream::CacheAddress() const {
  constexpr size_t kUsual = 250;
  std::string address;
  address.reserve(kUsual);
  address = client_->endpoint().connection;
  for (const std::string& name : query_.select) (address += ',') += name;
  address += ':';
  if (query_.point) {
    address += EntityAddress(query_.table, query_.point->first, query_.point->second);
  } else {
    address.append(query_.table).append("()?").append(FilterText(query_.filter, query_.clauses));
  }
  return address;
}

Result<bool> PageStream::ReadCached(const std::string& address) {
  if (under_way_.exchange || address.empty()) return false;
  const std::string* const response = cache_->Find(address);
  if (response == nullptr) return false;
  at_end_ = true;
  if (response->empty()) return true;
  AZTABLES_RETURN_IF_ERROR(client_->HasPointAddress(query_) ? page_->ReadEntity(*response)
                                                            : page_->ReadQuery(*response));
  return true;
}

Status PageStream::Start(const Cancel& cancel, bool waits) {
  AZTABLES_RETURN_IF_ERROR(MayAsk(cancel));
  if (cache_ != nullptr) generation_ = cache_->generation();
  under_way_ = Ask(top_, next_, waits);
  return {};
}

void PageStream::Prefetch(const Cancel& cancel) {
  if (under_way_.exchange) return;
  SkipToNextPartition();
  if (at_end_) return;
  if (MayBeCached() && cache_->Find(CacheAddress()) != nullptr) return;
  // NextPage() reports any other error.
  if (Status status = Start(cancel, false); status.code() == Code::kInterrupt) {
    interrupted_ = std::move(status);
  }
}

void PageStream::ReadOn(const Cancel& cancel) {
  reads_on_ = true;
  if (under_way_.exchange) ReadAhead(cancel);
}

Status PageStream::Wait(const Cancel& cancel, std::span<Exchange* const> others) {
  const Exchange* const exchange = under_way_.exchange.get();
  std::vector<Exchange*> waiting = {under_way_.exchange.get()};
  waiting.insert(waiting.end(), others.begin(), others.end());
  while (!exchange->done()) {
    ReadAhead(cancel);
    const bool looks_ahead = !ahead_.exchange && exchange->head() == nullptr && MayReadAhead();
    AZTABLES_RETURN_IF_ERROR(
        client_->pipeline()->WaitAny(waiting, cancel, looks_ahead ? exchange : nullptr));
    std::erase_if(waiting, [](const Exchange* one) { return one->done(); });
  }
  return {};
}

std::unique_ptr<EntityPage> PageStream::TakePage() {
  RememberPartition();
  return std::move(page_);
}

void PageStream::RememberPartition() {
  last_partition_.reset();
  if (!skips_ || page_->size() == 0) return;
  last_partition_ = page_->At(page_->size() - 1, EntityPage::kPartitionKey).view();
}

// Called before the next page is requested; the last page, or its last partition, is still known.
void PageStream::SkipToNextPartition() {
  if (!skips_ || (not_so_ != nullptr && *not_so_) || at_end_) return;
  if (page_ == nullptr ? !last_partition_ : page_->size() == 0) return;
  if (skip_at_ == 0 && IsFixed(query_.filter, "PartitionKey")) {
    at_end_ = true;
    return;
  }
  const std::string_view last =
      page_ == nullptr ? *last_partition_
                       : page_->At(page_->size() - 1, EntityPage::kPartitionKey).view();
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
  reads_on_ = false;
  next_ = std::move(next);
  at_end_ = !next_;
  asked_at_ = under_way_.at;
  under_way_ = {};
  if (ahead_.exchange && ahead_.from == next_) under_way_ = std::move(ahead_);
  ahead_ = {};
  received_ += page_->size();
  top_ = TopFor(top_ * kGrowth);
}

Result<bool> PageStream::NextPage(const Cancel& cancel, std::span<Exchange* const> others) {
  interrupted_ = {};
  SkipToNextPartition();
  ++pages_;
  if (page_ != nullptr) {
    page_->Clear();
  } else {
    page_ = pool_ != nullptr ? pool_->Take(projection_) : std::make_unique<EntityPage>(projection_);
  }
  // Only a response with all rows is kept.
  std::string address = !at_end_ && MayBeCached() ? CacheAddress() : "";
  if (!at_end_) {
    const auto cached = ReadCached(address);
    if (!cached.ok()) return cached.status();
    if (*cached) {
      asked_at_ = clock_ ? clock_() : 0;
      return page_->size() > 0;
    }
  }
  while (!at_end_) {
    if (!under_way_.exchange) AZTABLES_RETURN_IF_ERROR(Start(cancel, true));
    const bool caches = !address.empty() && MayBeCached();
    std::string body;
    Result<ContinuationToken> next = ContinuationToken();
    do {
      AZTABLES_RETURN_IF_ERROR(Wait(cancel, others));
      ReadAhead(cancel);
      next = client_->FinishPage(query_, options_, *under_way_.exchange, sequence_, *page_,
                                 caches ? &body : nullptr);
      if (!next.ok()) ahead_ = {};
    } while (!next.ok() && client_->pipeline()->TryAgain(*under_way_.exchange, next.status()));
    if (!next.ok()) {
      under_way_ = {};
      return next.status();
    }
    if (Status status = options_.budget.CheckEntities(); !status.ok()) {
      page_->Clear();
      return status;
    }
    if (caches && !*next) {
      cache_->Put(std::exchange(address, {}), std::move(body), generation_);
    }
    MoveOn(std::move(*next));
    if (page_->size() > 0 || (single_ && !at_end_)) return true;
  }
  return false;
}

}  // namespace aztables
