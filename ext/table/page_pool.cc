// PagePool: see page_pool.h.
#include "table/page_pool.h"

#include <algorithm>
#include <utility>

namespace aztables {

std::unique_ptr<EntityPage> PagePool::Take(const Projection& projection) {
  const auto same = std::find_if(pages_.begin(), pages_.end(), [&](const auto& page) {
    return page->projection() == projection;
  });
  if (same == pages_.end()) return std::make_unique<EntityPage>(projection);
  std::unique_ptr<EntityPage> page = std::move(*same);
  pages_.erase(same);
  return page;
}

void PagePool::Return(std::unique_ptr<EntityPage> page) {
  if (page == nullptr || page->body().size() > kMostBytes) return;
  page->Clear();
  if (pages_.size() == kMost) pages_.erase(pages_.begin());
  pages_.push_back(std::move(page));
}

}  // namespace aztables
