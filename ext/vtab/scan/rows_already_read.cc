// RowsAlreadyRead: see rows_already_read.h.
#include "vtab/scan/rows_already_read.h"

#include <utility>

#include "odata/entity_page.h"

namespace aztables {

std::unique_ptr<RowStream> RowsAlreadyRead::Make(const BoundPlan& bound, const ReadSet& read_set,
                                                 int64_t statement) {
  constexpr size_t kKeys = 2;  // they are always selected; an ETag always comes
  if (bound.query.select.size() != kKeys) return nullptr;
  auto rows = std::make_unique<RowsAlreadyRead>();
  rows->rows_.reserve(bound.rowids.size());
  for (size_t i = 0; i < bound.rowids.size(); ++i) {
    const RowRead* const read = read_set.FindOf(statement, bound.rowids[i]);
    if (read == nullptr || !read->Awaited()) return nullptr;
    const auto& [partition_key, row_key] = bound.points[i];
    rows->rows_.push_back(
        {partition_key, row_key, read->etag, read->read_at, read->remote, read->conflicts});
  }
  return rows;
}

Cell RowsAlreadyRead::At(size_t place) const {
  Cell cell;
  if (place == EntityPage::kPartitionKey) {
    SetCellText(cell, EdmType::kString, row().partition_key);
  } else if (place == EntityPage::kRowKey) {
    SetCellText(cell, EdmType::kString, row().row_key);
  } else if (place == EntityPage::kEtag && !row().etag.empty()) {
    SetCellText(cell, EdmType::kString, row().etag);
  }
  return cell;
}

}  // namespace aztables
