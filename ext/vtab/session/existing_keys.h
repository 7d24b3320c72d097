// ExistingKeys: the entities that the service has returned to a transaction since it began to write
// to their remote table. An INSERT of one of them fails at once, as in an ordinary table. If an
// entity is not in the set, the COMMIT finds the conflict. An entity that the transaction has
// inserted before is a known conflict: its row may not be changed.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "read/key_text.h"

namespace aztables {

class ExistingKeys {
 public:
  // From this size on, only conflicts are added.
  static constexpr size_t kMost = 100'000;

  // `conflicts`: the transaction has inserted the entity itself; such an entity is always added.
  void Add(std::string_view partition_key, std::string_view row_key, bool conflicts = false) {
    if (conflicts || keys_.size() < kMost) keys_.insert(KeyText(partition_key, row_key));
  }
  void Remove(std::string_view partition_key, std::string_view row_key) {
    if (!keys_.empty()) keys_.erase(KeyText(partition_key, row_key));
  }
  bool Contain(std::string_view partition_key, std::string_view row_key) const {
    return !keys_.empty() && keys_.count(KeyText(partition_key, row_key)) > 0;
  }
  void Clear() { keys_ = {}; }

 private:
  std::unordered_set<std::string> keys_;
};

}  // namespace aztables
