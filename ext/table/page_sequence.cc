// PageSequence: see page_sequence.h.
#include "table/page_sequence.h"

#include <algorithm>

#include "model/key.h"
#include "model/limits.h"

namespace aztables {

bool PageSequence::Rises(const Key& before, const Key& key) {
  if (before.partition_key == key.partition_key) {
    return CompareKeys(before.row_key, key.row_key) < 0;
  }
  return CompareKeys(before.partition_key, key.partition_key) < 0;
}

Status PageSequence::OutOfOrder(const Key& before, const Key& key) {
  return Status::Error("the service sent the entity " +
                       DescribeEntity(key.partition_key, key.row_key) + " after the entity " +
                       DescribeEntity(before.partition_key, before.row_key) +
                       ", but a query must return entities in ascending order of their keys");
}

void PageSequence::StartAfter(std::string_view partition_key, std::string_view row_key) {
  begun_ = true;
  last_partition_key_ = partition_key;
  last_row_key_ = row_key;
}

Status PageSequence::CheckPage(const EntityPage& page) {
  if (!keeps_order_ || page.size() == 0) return {};
  Key before{last_partition_key_, last_row_key_};
  for (size_t row = 0; row < page.size(); ++row) {
    const Key key{page.At(row, EntityPage::kPartitionKey).view(),
                  page.At(row, EntityPage::kRowKey).view()};
    if ((row > 0 || begun_) && !Rises(before, key)) return OutOfOrder(before, key);
    before = key;
  }
  StartAfter(before.partition_key, before.row_key);
  return {};
}

bool PageSequence::Knows(const ContinuationToken& token) const {
  return std::find(tokens_.begin(), tokens_.end(), token) != tokens_.end();
}

Status PageSequence::CheckToken(const ContinuationToken& token) {
  if (!token) return {};
  if (Knows(token)) {
    return Status::Error(
        "the service sent the same continuation token twice, so its pages would never end");
  }
  tokens_.push_back(token);
  if (tokens_.size() > kTokens) tokens_.erase(tokens_.begin());
  return {};
}

}  // namespace aztables
