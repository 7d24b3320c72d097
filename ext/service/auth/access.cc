// Access: see access.h. The errors for other tables than a table SAS's are recorded from the live
// service.
#include "service/auth/access.h"

#include <algorithm>

#include "base/encoding.h"
#include "model/key.h"
#include "service/auth/credentials.h"
#include "service/storage_error.h"

namespace aztables {
namespace {

bool HasAny(std::string_view letters, std::string_view wanted) {
  return letters.find_first_of(wanted) != std::string_view::npos;
}

bool Permits(std::string_view letters, const Operation& operation) {
  if (!operation.needs_all) return HasAny(letters, operation.permissions);
  return std::all_of(
      operation.permissions.begin(), operation.permissions.end(),
      [letters](char wanted) { return letters.find(wanted) != std::string_view::npos; });
}

// Compares (PartitionKey, RowKey) with a bound. A bound without RowKey equals its whole partition.
int CompareToBound(std::string_view partition_key, std::string_view row_key,
                   const Access::Bound& bound) {
  const int order = CompareKeys(partition_key, bound.partition_key);
  return order != 0 || !bound.row_key ? order : CompareKeys(row_key, *bound.row_key);
}

}  // namespace

Result<Access> Authenticate(const AuthenticationInput& input) {
  const auto account = input.keys->find(input.account);
  if (account == input.keys->end()) return ToStatus(errors::kAuthenticationFailed);
  const Headers& headers = input.request->headers;
  if (const std::string* authorization = headers.Find("Authorization")) {
    std::string_view token = *authorization;
    if (EqualsIgnoreCase(TakeUntil(token, ' '), "Bearer")) {
      AZTABLES_RETURN_IF_ERROR(CheckToken(input, TrimBlanks(token)));
      return Access();
    }
    AZTABLES_RETURN_IF_ERROR(CheckSharedKey(input, *authorization, account->second));
    return Access();
  }
  if (input.query->Find("sig") != nullptr) return AuthenticateSas(input, account->second);
  return ToStatus(Unauthenticated(input));
}

const StorageError& Unauthenticated(const AuthenticationInput& input) {
  constexpr std::string_view kFirstVersionWithChallenge = "2020-12-06";
  return input.request->headers.Get("x-ms-version") >= kFirstVersionWithChallenge
             ? errors::kInvalidAuthenticationInfo
             : errors::kAuthenticationFailed;
}

Status CheckAllowed(const Access& access, const Operation& operation, std::string_view table) {
  if (access.kind == Access::Kind::kOwner) return {};
  if (access.kind == Access::Kind::kTableSas) {
    // A table SAS can permit operations on entities only.
    if (operation.resource_types != "o") return ToStatus(errors::kAuthorizationFailure);
    // A SAS for another table has another signature.
    if (!EqualsIgnoreCase(table, access.table)) return ToStatus(errors::kAuthenticationFailed);
  } else {
    if (operation.resource_types.empty()) return ToStatus(errors::kAuthorizationFailure);
    if (!HasAny(access.resource_types, operation.resource_types)) {
      return ToStatus(errors::kResourceTypeMismatch);
    }
  }
  return Permits(access.permissions, operation) ? Status() : ToStatus(errors::kPermissionMismatch);
}

bool InKeyRange(const Access& access, std::string_view partition_key, std::string_view row_key) {
  return (!access.from || CompareToBound(partition_key, row_key, *access.from) >= 0) &&
         (!access.to || CompareToBound(partition_key, row_key, *access.to) <= 0);
}

}  // namespace aztables
