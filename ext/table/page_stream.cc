// PageStream: see include/aztables/table/page_stream.h.
#include "aztables/table/page_stream.h"

#include <algorithm>

#include "service_error.h"

namespace aztables {
namespace {

constexpr size_t kMaxTop = 1000;  // the service refuses more
constexpr size_t kGrowth = 10;

size_t TopFor(size_t wanted) { return wanted >= kMaxTop ? 0 : wanted; }

}  // namespace

PageStream::PageStream(const ServiceClient* client, EntityQuery query, Projection projection,
                       size_t first_page, CallOptions options)
    : client_(client),
      query_(std::move(query)),
      options_(std::move(options)),
      page_(std::move(projection)),
      top_(TopFor(first_page)) {}

Status PageStream::MayAsk(const Cancel& cancel) const {
  AZTABLES_RETURN_IF_ERROR(cancel.Check());
  AZTABLES_RETURN_IF_ERROR(options_.budget.CheckEntities());
  return may_ask_ ? may_ask_() : Status();
}

size_t PageStream::NextTop() const {
  const auto left = options_.budget.EntitiesLeft();
  if (!left || *left >= static_cast<int64_t>(kMaxTop)) return top_;
  const auto most = static_cast<size_t>(*left);
  return top_ == 0 ? most : std::min(top_, most);
}

Result<bool> PageStream::NextPage(const Cancel& cancel) {
  page_.Clear();
  if (!at_end_ && client_->HasPointAddress(query_)) {
    AZTABLES_RETURN_IF_ERROR(MayAsk(cancel));
    at_end_ = true;
    AZTABLES_RETURN_IF_ERROR(client_->GetEntity(query_, options_, page_, cancel));
    return page_.size() > 0;
  }
  while (!at_end_) {
    AZTABLES_RETURN_IF_ERROR(MayAsk(cancel));
    auto next = client_->QueryPage(query_, NextTop(), next_, options_, page_, cancel);
    if (!next.ok()) return next.status();
    if (*next && *next == next_) {  // the same page would come for ever
      page_.Clear();
      at_end_ = true;
      return Status::Error(AskedOf(client_->endpoint(), "reading", query_.table) +
                           " failed: the service sends the same continuation token over and over");
    }
    next_ = std::move(*next);
    at_end_ = !next_;
    top_ = TopFor(top_ * kGrowth);
    if (page_.size() > 0) return true;
  }
  return false;
}

}  // namespace aztables
