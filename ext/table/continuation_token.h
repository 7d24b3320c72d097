// ContinuationToken: the start of the next page of a query.
//
// Thread rule: a value.
#pragma once

#include <optional>
#include <string>

namespace aztables {

// Opaque. Empty: there is no next page. The service may omit the second half.
struct ContinuationToken {
  std::optional<std::string> next_partition_key;
  std::optional<std::string> next_row_key;

  explicit operator bool() const { return next_partition_key || next_row_key; }
  bool operator==(const ContinuationToken& other) const = default;
};

}  // namespace aztables
