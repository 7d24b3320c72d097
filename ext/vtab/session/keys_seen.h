// KeysSeen: entities that the service has shown to a transaction since it began to write to their
// remote table, so that an INSERT of one fails at once, as it would in an ordinary table. What is
// not remembered is found in the COMMIT. One that the transaction has inserted before is a conflict
// that is known: the row may not be changed any more.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "read/key_text.h"

namespace aztables {

class KeysSeen {
 public:
  // As many as are remembered.
  static constexpr size_t kMost = 100'000;

  // `conflicts`: the transaction has inserted the entity itself, which is never forgotten.
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
