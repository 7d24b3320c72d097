// PageSequence: checks the rules for the pages of one query. Their entities are in ascending order
// of keys, also from page to page, and no continuation token is repeated. If a service violated one
// of these rules, a result would be wrong or endless. Source: Microsoft, "Query timeout and
// pagination"; Cosmos DB keeps no order.
//
// Errors: kError; the sentence does not name the table yet. A refused page changes nothing, so it
// may be requested again.
// Thread rule: one thread at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "odata/entity_page.h"

namespace aztables {

// The start of the next page of a query. Opaque. Empty: there is no next page. The service may omit
// the second half.
struct ContinuationToken {
  std::optional<std::string> next_partition_key;
  std::optional<std::string> next_row_key;

  explicit operator bool() const { return next_partition_key || next_row_key; }
  bool operator==(const ContinuationToken& other) const = default;
};

class PageSequence {
 public:
  // The number of remembered tokens: a cycle of at most this number of pages is found.
  static constexpr size_t kTokens = 100;

  // `keeps_order`: the service returns entities in the order of their keys.
  explicit PageSequence(bool keeps_order) : keeps_order_(keeps_order) {}

  // OK if the page may follow the ones checked before.
  Status CheckPage(const EntityPage& page);
  // The next page must follow this entity.
  void StartAfter(std::string_view partition_key, std::string_view row_key);
  // Whether the token was checked before.
  bool Knows(const ContinuationToken& token) const;
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

  bool keeps_order_;
  bool begun_ = false;  // the last entity is known
  std::string last_partition_key_;
  std::string last_row_key_;
  std::vector<ContinuationToken> tokens_;  // the last ones
};

}  // namespace aztables
