// PagePool: see page_pool.h.
#include "table/page_pool.h"

#include <algorithm>
#include <utility>

namespace aztables {

std::unique_ptr<EntityPage> PagePool::Take(const Projection& projection) {
  const auto same = std::find_if(pages_.begin(), pages_.end(), [&](const auto& page) {
    return page != nullptr && page->projection() == projection;
  });
  return same == pages_.end() ? std::make_unique<EntityPage>(projection) : std::move(*same);
}

void PagePool::Return(std::unique_ptr<EntityPage> page) noexcept {
  if (page == nullptr || page->body().size() > kMostBytes) return;
  page->Clear();
  const auto place = std::find(pages_.begin(), pages_.end(), nullptr);
  if (place != pages_.end()) {
    *place = std::move(page);
  } else {
    pages_[next_++ % kMost] = std::move(page);
  }
}

}  // namespace aztables
