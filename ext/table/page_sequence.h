// PageSequence: what the pages of one query have in common. Their entities come in rising order of
// keys, from page to page too, and no continuation token comes twice. A service that breaks one of
// these would make a result wrong or endless. Source: Microsoft, "Query timeout and pagination";
// Cosmos DB keeps no order.
//
// Errors: kError; the sentence has no table yet. A page that is refused leaves no trace, so that it
// may be asked for again.
// Thread rule: one thread at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "odata/entity_page.h"
#include "table/continuation_token.h"

namespace aztables {

class PageSequence {
 public:
  // Tokens that are remembered: a circle of so many pages is found.
  static constexpr size_t kTokens = 100;

  // `keeps_order`: the service gives entities in the order of their keys.
  explicit PageSequence(bool keeps_order) : keeps_order_(keeps_order) {}

  // Whether the page may follow what was checked before.
  Status CheckPage(const EntityPage& page);
  // The same of one entity.
  Status CheckEntity(std::string_view partition_key, std::string_view row_key);
  // Whether the token may follow; the empty one may.
  Status CheckToken(const ContinuationToken& token);
  // Forgets the tokens: another query asks for the pages that follow.
  void ForgetTokens() { tokens_.clear(); }

 private:
  struct Key {
    std::string_view partition_key;
    std::string_view row_key;
  };
  static bool Rises(const Key& before, const Key& key);
  static Status OutOfOrder(const Key& before, const Key& key);
  void Remember(const Key& key);

  bool keeps_order_;
  bool begun_ = false;  // the last entity is known
  std::string last_partition_key_;
  std::string last_row_key_;
  std::vector<ContinuationToken> tokens_;  // the last ones, the oldest at oldest_
  size_t oldest_ = 0;
};

}  // namespace aztables
