// Access: authenticates a request and checks its permissions. It supports Shared Key, Shared Key
// Lite, account SAS, table SAS with key ranges and stored access policies, and for tests tokens of
// Microsoft Entra. Other credentials get the error of the live service.
// Source: Microsoft, "Authorize with Shared Key", "Create an account SAS", "Create a service SAS".
//
// Errors: storage errors (storage_error.h). Authentication failures are errors of the front end, in
// XML. Missing permissions are errors of the table service, in JSON. response.h distinguishes them
// by code.
// Thread rule: values and free functions; any thread.
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
#include "service/query_options.h"

namespace aztables {

// The accounts that a service serves, each with its keys (decoded; either is valid).
using AccountKeys = std::map<std::string, std::vector<Secret>, std::less<>>;

// A stored access policy of a table. Times are empty or in the service's form with seven fractional
// digits.
struct StoredPolicy {
  std::string id;
  std::string start;
  std::string expiry;
  std::string permission;

  bool operator==(const StoredPolicy& other) const = default;
};

// Finds the policy `id` of `table` (lower case); nothing if it does not exist.
using PolicyLookup =
    std::function<Result<std::optional<StoredPolicy>>(std::string_view table, std::string_view id)>;

// What an operation requires of a SAS. Source: Microsoft, "Create an account SAS" and "Create a
// service SAS" (operations by permission).
struct Operation {
  std::string_view permissions;     // any of them
  std::string_view resource_types;  // of an account SAS, any of them; empty: none suffices
  bool needs_all = false;           // all permissions
};
namespace operations {

inline constexpr Operation kListTables{"l", "sc"};  // documented: s; accepted: c
inline constexpr Operation kCreateTable{"cw", "c"};
inline constexpr Operation kGetTable{"lr", "c"};  // GET /Tables('x')
inline constexpr Operation kDeleteTable{"d", "c"};
inline constexpr Operation kQuery{"r", "o"};  // pages and point reads
inline constexpr Operation kInsert{"a", "o"};
inline constexpr Operation kUpdate{"u", "o"};         // replace or merge with If-Match
inline constexpr Operation kUpsert{"au", "o", true};  // replace or merge without If-Match
inline constexpr Operation kDelete{"d", "o"};
inline constexpr Operation kGetProperties{"r", "s"};
inline constexpr Operation kSetProperties{"w", "s"};
inline constexpr Operation kGetStats{"r", "s"};
inline constexpr Operation kTableAcl{"", ""};

}  // namespace operations

struct Access {
  enum class Kind : uint8_t { kOwner, kAccountSas, kTableSas };
  Kind kind = Kind::kOwner;
  std::string permissions;     // sp, or the policy's
  std::string resource_types;  // srt of an account SAS
  std::string table;           // tn of a table SAS, lower case
  // The key range of a table SAS: inclusive bounds, compared as (PartitionKey, RowKey). A bound
  // without RowKey includes the whole partition.
  struct Bound {
    std::string partition_key;
    std::optional<std::string> row_key;
  };
  std::optional<Bound> from;
  std::optional<Bound> to;
};

// The input for authentication. `now_ms` is the time of day in milliseconds since 1970.
struct AuthenticationInput {
  const Request* request = nullptr;
  const QueryOptions* query = nullptr;
  std::string_view account;
  const AccountKeys* keys = nullptr;
  std::string client_address;  // for sip; empty: unknown, so sip is not checked
  bool https = false;
  bool tokens = false;  // tokens of Microsoft Entra are accepted
  int64_t now_ms = 0;
  PolicyLookup policy;
};
Result<Access> Authenticate(const AuthenticationInput& input);

// OK if `access` permits `operation` on `table` (any case; empty for operations without one).
Status CheckAllowed(const Access& access, const Operation& operation, std::string_view table);

// Whether a table SAS's key range includes the entity, in UTF-16 order.
bool InKeyRange(const Access& access, std::string_view partition_key, std::string_view row_key);

}  // namespace aztables
