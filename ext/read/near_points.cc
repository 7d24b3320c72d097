// NearPoints: see near_points.h.
#include "read/near_points.h"

#include <algorithm>
#include <utility>

#include "model/key.h"
#include "model/limits.h"
#include "plan/read_plan.h"
#include "table/key_span.h"

namespace aztables {
namespace {

// So many lookups follow each other before a page at most.
constexpr size_t kMostRun = 1'000;
// So many more entities cost as much as a point.
constexpr size_t kEntitiesOfPoint = 100;
// If a page has fewer entities for each lookup, the next one is as large as possible.
constexpr size_t kClose = 20;

// One row of a page.
class PageRow final : public RowStream {
 public:
  PageRow(std::shared_ptr<const EntityPage> page, size_t row, int64_t asked_at)
      : page_(std::move(page)), row_(row), asked_at_(asked_at) {}
  Result<bool> Next() override { return !std::exchange(passed_, true); }
  Cell At(size_t place) const override { return page_->At(row_, place); }
  int64_t asked_at() const override { return asked_at_; }

 private:
  std::shared_ptr<const EntityPage> page_;
  size_t row_;
  int64_t asked_at_;
  bool passed_ = false;
};

}  // namespace

bool NearPoints::Covers(const std::string& partition, const std::string& row) const {
  if (page_ == nullptr || partition != page_partition_) return false;
  if (CompareKeys(row, page_from_) < 0) return false;
  if (to_end_) return true;
  if (page_->size() == 0) return false;
  return CompareKeys(row, page_->At(page_->size() - 1, EntityPage::kRowKey).view()) <= 0;
}

NearPoints::Answer NearPoints::InPage(const std::string& row) {
  ++answers_;
  size_t low = 0;
  size_t high = page_->size();
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = CompareKeys(page_->At(middle, EntityPage::kRowKey).view(), row);
    if (order == 0) return {true, std::make_unique<PageRow>(page_, middle, asked_at_)};
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return {true, nullptr};
}

void NearPoints::Leave() {
  if (page_ == nullptr) return;
  page_ = nullptr;
  const size_t cost = 1 + entities_ / kEntitiesOfPoint;
  if (answers_ > cost) {
    needed_ = 1;
    if (answers_ * kClose > entities_) entities_ = kMaxPageEntities;
  } else {
    needed_ = std::min(kMostRun, std::max(kFirstRun, 4 * needed_));
    entities_ = kFirstEntities;
    run_ = 1;
  }
}

Result<NearPoints::Answer> NearPoints::Find(const EntityQuery& query, int64_t version,
                                            const Open& open) {
  const auto& [partition, row] = *query.point;
  if (version != version_) page_ = nullptr;
  const int order = run_ > 0 && partition == last_partition_ ? CompareKeys(row, last_row_) : -1;
  if (order != 0) run_ = order > 0 ? run_ + 1 : 1;  // a repeated lookup costs nothing
  last_partition_ = partition;
  last_row_ = row;
  if (Covers(partition, row)) return InPage(row);
  Leave();
  if (run_ < needed_) return Answer();
  auto filter = FilterOf({partition, row, false, std::nullopt});
  if (!filter) return Answer();
  EntityQuery page = query;
  page.point.reset();
  page.kind = ReadKindName(ReadKind::kRowRange);
  page.filter = std::move(*filter);
  const auto reader = open(std::move(page), entities_);
  const auto more = reader->NextPage();
  if (!more.ok()) return more.status();
  to_end_ = reader->at_end();
  asked_at_ = reader->asked_at();
  page_ = reader->TakePage();
  page_partition_ = partition;
  page_from_ = row;
  version_ = version;
  answers_ = 0;
  return InPage(row);
}

}  // namespace aztables
