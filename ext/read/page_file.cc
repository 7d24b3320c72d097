// PageFile: see page_file.h.
#include "read/page_file.h"

#include <algorithm>

#include "model/key.h"
#include "read/order_conflict_range.h"

namespace aztables {

Result<std::unique_ptr<PageFile>> PageFile::Make() {
  auto file = TempFile::Make();
  if (!file.ok()) return file.status();
  return std::unique_ptr<PageFile>(new PageFile(std::move(*file)));
}

Status PageFile::Add(const EntityPage& page, RowsOfSpan rows, int64_t asked_at) {
  const EntityKeyView first = KeyOf(page, rows.begin);
  projection_ = page.projection();
  pages_.push_back({{std::string(first.partition_key), std::string(first.row_key)},
                    rows,
                    asked_at,
                    file_->size(),
                    page.body().size()});
  return file_->Append(page.body());
}

void PageFile::Sort() {
  std::sort(pages_.begin(), pages_.end(), [](const Kept& a, const Kept& b) {
    const int order = CompareKeys(a.first.partition_key, b.first.partition_key);
    return order != 0 ? order < 0 : CompareKeys(a.first.row_key, b.first.row_key) < 0;
  });
}

Result<PageChains::Page> PageFile::TakeLast() {
  const Kept kept = std::move(pages_.back());
  pages_.pop_back();
  std::string body(kept.size, '\0');
  AZTABLES_RETURN_IF_ERROR(file_->Read(kept.at, body));
  PageChains::Page page{std::make_unique<EntityPage>(projection_), kept.rows, kept.asked_at};
  AZTABLES_RETURN_IF_ERROR(page.page->ReadQuery(std::move(body)));
  return page;
}

}  // namespace aztables
