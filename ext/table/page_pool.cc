// PagePool: see page_pool.h.
#include "table/page_pool.h"

#include <algorithm>
#include <utility>

namespace aztables {
namespace {

bool IsSmaller(const std::string& a, const std::string& b) { return a.capacity() < b.capacity(); }

}  // namespace

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
  if (page == nullptr) return;
  page->Clear();
  if (pages_.size() == kMost) pages_.erase(pages_.begin());
  pages_.push_back(std::move(page));
}

std::string PagePool::TakeMemory() {
  if (memory_.empty()) return {};
  const auto largest = std::max_element(memory_.begin(), memory_.end(), IsSmaller);
  std::string memory = std::move(*largest);
  memory_.erase(largest);
  return memory;
}

void PagePool::ReturnMemory(std::string memory) {
  if (memory.capacity() < kUseful) return;
  memory_.push_back(std::move(memory));
  if (memory_.size() > kMost) {
    memory_.erase(std::min_element(memory_.begin(), memory_.end(), IsSmaller));
  }
}

}  // namespace aztables
