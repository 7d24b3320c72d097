// ShownPartitions: see shown_partitions.h.
#include "read/shown_partitions.h"

#include "base/encoding.h"

namespace aztables {

Result<bool> ShownPartitions::Next() {
  for (;;) {
    auto more = source_->Next();
    if (!more.ok() || !*more) return more;
    const std::string_view key = source_->key().partition_key;
    if (!HasLoneSurrogate(key) && key.find("\xEF\xBF\xBD") == std::string_view::npos) return true;
    if (key == last_) return true;
    last_ = key;
    if (seen_.insert(last_).second) return true;
    if (*all_) {
      return Status::Error(
          "SQLite shows two PartitionKeys with halves of surrogate pairs as one text; add ORDER BY "
          "PartitionKey to the statement with DISTINCT");
    }
    last_.clear();
  }
}

}  // namespace aztables
