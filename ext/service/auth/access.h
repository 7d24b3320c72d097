// Access: who asks, and what it may do. Shared Key and Shared Key Lite, account SAS, table SAS with
// key ranges and stored access policies. Anything else is refused as the live service does.
// Source: Microsoft, "Authorize with Shared Key", "Create an account SAS", "Create a service SAS".
//
// Errors: storage errors (storage_error.h). Authentication failures are those of the front end,
// which answers in XML; missing rights are the table service's, which answers in JSON: response.h
// tells them apart by their codes. Thread rule: values and free functions; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/secret.h"
#include "base/status.h"
#include "http/message.h"

namespace aztables {

// The accounts that a service serves, each with its keys (decoded; either is valid).
using AccountKeys = std::map<std::string, std::vector<Secret>, std::less<>>;

// A stored access policy of a table. Times as the service prints them, with seven digits of a
// second, or empty.
struct StoredPolicy {
  std::string id;
  std::string start;
  std::string expiry;
  std::string permission;

  bool operator==(const StoredPolicy& other) const = default;
};

// Looks up the policy `id` of `table` (lower case); nothing where there is none, or no such table.
using PolicyLookup =
    std::function<std::optional<StoredPolicy>(std::string_view table, std::string_view id)>;

enum class Operation : uint8_t {
  kListTables,
  kCreateTable,
  kGetTable,  // GET /Tables('x')
  kDeleteTable,
  kQuery,  // pages and point reads
  kInsert,
  kUpdate,  // replace or merge with If-Match
  kUpsert,  // replace or merge without
  kDelete,
  kGetProperties,
  kSetProperties,
  kGetStats,
  kTableAcl,
};

struct Access {
  enum class Kind : uint8_t { kOwner, kAccountSas, kTableSas };
  Kind kind = Kind::kOwner;
  std::string permissions;     // sp, or the policy's
  std::string resource_types;  // srt of an account SAS
  std::string table;           // tn of a table SAS, lower case
  // The key range of a table SAS, both ends inclusive, compared as (PartitionKey, RowKey); a bound
  // without RowKey holds the whole partition.
  struct Bound {
    std::string partition_key;
    std::optional<std::string> row_key;
  };
  std::optional<Bound> from;
  std::optional<Bound> to;
};

// Who sent `request` to `account`. `query` holds its options percent-decoded. `now_ms` is the time
// of day in milliseconds since 1970.
struct AuthenticationInput {
  const Request* request = nullptr;
  const std::multimap<std::string, std::string>* query = nullptr;
  std::string_view account;
  const AccountKeys* keys = nullptr;
  std::string client_address;  // of the peer, for sip; empty: not known, sip is not checked
  bool https = false;
  int64_t now_ms = 0;
  PolicyLookup policy;
};
Result<Access> Authenticate(const AuthenticationInput& input);

// OK if `access` permits `operation` on `table` (any case; empty for operations without one).
Status CheckAllowed(const Access& access, Operation operation, std::string_view table);

// Whether the entity lies in the key range of a table SAS (service order: UTF-16 code units).
bool InKeyRange(const Access& access, std::string_view partition_key, std::string_view row_key);

}  // namespace aztables
