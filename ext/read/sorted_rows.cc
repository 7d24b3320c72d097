// SortedRows: see sorted_rows.h.
#include "read/sorted_rows.h"

#include <algorithm>

#include "model/key.h"

namespace aztables {

// The cell with its own copy of the text.
Cell SortedRows::Keep(Cell cell) {
  if (!cell.HasText()) return cell;
  cell.text = texts_.emplace_back(cell.view()).data();
  return cell;
}

Status SortedRows::Load() {
  loaded_ = true;
  for (;;) {
    const auto more = source_->Next();
    if (!more.ok()) return more.status();
    if (!*more) break;
    Row row{{}, source_->remote(), source_->conflicts(), source_->asked_at()};
    row.cells.reserve(width_);
    for (size_t i = 0; i < width_; ++i) row.cells.push_back(Keep(source_->At(i)));
    rows_.push_back(std::move(row));
  }
  std::sort(rows_.begin(), rows_.end(), [this](const Row& a, const Row& b) {
    const auto compare = [&](size_t key) {
      return CompareAsShown(a.cells[key].view(), b.cells[key].view());
    };
    int order = compare(order_.first);
    if (order == 0) order = compare(order_.second);
    return order_.descending ? order > 0 : order < 0;
  });
  return {};
}

Result<bool> SortedRows::Next() {
  if (!loaded_) AZTABLES_RETURN_IF_ERROR(Load());
  if (place_ == rows_.size()) return false;
  ++place_;
  return true;
}

}  // namespace aztables
