// RememberedWrites: the outcomes of the last entity group transactions (EGTs), by the ids of their
// requests. So an EGT that is sent again, or arrives late, is carried out at most once. Only ids
// that name one EGT are remembered: those of sqlite-aztables (kWriteIdPrefix). Other clients use an
// id for several requests.
//
// Outcomes are kept for ten minutes, at most 10,000 of them. They are part of the transaction of
// their EGT, so they survive a crash exactly if it does.
// Errors: storage errors.
// Thread rule: that of the connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "service/store/store_connection.h"

namespace aztables {

struct RememberedWrite {
  int64_t operations = 0;    // that were applied; 0: it was refused
  std::string content_type;  // of the response to a refused EGT
  std::string body;          // the same
};

class RememberedWrites {
 public:
  RememberedWrites(StoreConnection* connection, std::string_view account)
      : connection_(connection), account_(account) {}

  // `fingerprint`: of the request's address and body; a write with another one is not the same.
  Result<std::optional<RememberedWrite>> Find(std::string_view id, std::string_view fingerprint);
  // How long ago a write may have arrived to be remembered for sure, in seconds.
  Result<int64_t> Reach(int64_t now_ms);

  // Requires a write transaction.
  Status Add(std::string_view id, std::string_view fingerprint, const RememberedWrite& write,
             int64_t now_ms);

 private:
  Result<bool> Exists();
  Status Forget(int64_t now_ms);
  Result<std::string> DigestOf(std::string_view id, std::string_view fingerprint) const;

  StoreConnection* connection_;
  std::string account_;
};

}  // namespace aztables
