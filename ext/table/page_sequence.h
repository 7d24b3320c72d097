// PageSequence: checks the rules for the pages of one query. Their entities are in ascending order
// of keys, also from page to page, and no continuation token is repeated. If a service violated one
// of these rules, a result would be wrong or endless. Source: Microsoft, "Query timeout and
// pagination"; Cosmos DB keeps no order.
//
// Errors: kError; the sentence does not name the table yet. A refused page changes nothing, so it
// may be requested again.
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
  // The number of remembered tokens: a cycle of at most so many pages is found.
  static constexpr size_t kTokens = 100;

  // `keeps_order`: the service returns entities in the order of their keys.
  explicit PageSequence(bool keeps_order) : keeps_order_(keeps_order) {}

  // OK if the page may follow the ones checked before.
  Status CheckPage(const EntityPage& page);
  // The same for one entity.
  Status CheckEntity(std::string_view partition_key, std::string_view row_key);
  // OK if the token may follow; the empty one always may.
  Status CheckToken(const ContinuationToken& token);
  // Forgets the tokens: the following pages belong to another query.
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
