// Two tables list what each operation requires of a SAS: see access.h.
// Source: Microsoft, "Create an account SAS" and "Create a service SAS" (operations by permission).
// The errors for other tables than a table SAS's are recorded from the live service.
#include "service/auth/access.h"

#include <algorithm>
#include <iterator>

#include "base/encoding.h"
#include "model/key.h"
#include "service/auth/sas.h"
#include "service/auth/shared_key.h"
#include "service/storage_error.h"

namespace aztables {
namespace {

// From this version on the response to a request without credentials contains a challenge.
constexpr std::string_view kFirstVersionWithChallenge = "2020-12-06";

// A table SAS can permit operations on entities only. An operation requires any of its permissions,
// or all.
enum class On : uint8_t { kEntities, kOther };
enum class Wants : uint8_t { kAny, kAll };

struct Requirement {
  Operation operation;
  On on;
  Wants wants;
  std::string_view permissions;
  std::string_view resource_types;  // of an account SAS, any of them; empty: none suffices
};

constexpr Requirement kRequirements[] = {
    {Operation::kListTables, On::kOther, Wants::kAny, "l", "sc"},  // documented: s; accepted: c
    {Operation::kCreateTable, On::kOther, Wants::kAny, "cw", "c"},
    {Operation::kGetTable, On::kOther, Wants::kAny, "lr", "c"},
    {Operation::kDeleteTable, On::kOther, Wants::kAny, "d", "c"},
    {Operation::kQuery, On::kEntities, Wants::kAny, "r", "o"},
    {Operation::kInsert, On::kEntities, Wants::kAny, "a", "o"},
    {Operation::kUpdate, On::kEntities, Wants::kAny, "u", "o"},
    {Operation::kUpsert, On::kEntities, Wants::kAll, "au", "o"},
    {Operation::kDelete, On::kEntities, Wants::kAny, "d", "o"},
    {Operation::kGetProperties, On::kOther, Wants::kAny, "r", "s"},
    {Operation::kSetProperties, On::kOther, Wants::kAny, "w", "s"},
    {Operation::kGetStats, On::kOther, Wants::kAny, "r", "s"},
    {Operation::kTableAcl, On::kOther, Wants::kAny, "", ""},
};

const Requirement& RequirementOf(Operation operation) {
  const auto* const found = std::find_if(
      std::begin(kRequirements), std::end(kRequirements),
      [operation](const Requirement& candidate) { return candidate.operation == operation; });
  // Every operation has a line. A missing one would require the last line's permissions.
  return found == std::end(kRequirements) ? *std::prev(found) : *found;
}

bool HasAny(std::string_view letters, std::string_view wanted) {
  return letters.find_first_of(wanted) != std::string_view::npos;
}

bool Permits(std::string_view letters, const Requirement& requirement) {
  if (requirement.wants == Wants::kAny) return HasAny(letters, requirement.permissions);
  return std::all_of(
      requirement.permissions.begin(), requirement.permissions.end(),
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
    const std::string_view scheme = std::string_view(*authorization).substr(0, 7);
    if (EqualsIgnoreCase(scheme, "Bearer ") || EqualsIgnoreCase(scheme, "Bearer")) {
      return ToStatus(errors::kInvalidAuthenticationInfo);  // tokens are not supported
    }
    AZTABLES_RETURN_IF_ERROR(CheckSharedKey(input, *authorization, account->second));
    return Access();
  }
  if (input.query->count("sig") != 0) return AuthenticateSas(input, account->second);
  return ToStatus(headers.Get("x-ms-version") >= kFirstVersionWithChallenge
                      ? errors::kInvalidAuthenticationInfo
                      : errors::kAuthenticationFailed);
}

Status CheckAllowed(const Access& access, Operation operation, std::string_view table) {
  if (access.kind == Access::Kind::kOwner) return {};
  const Requirement& requirement = RequirementOf(operation);
  if (access.kind == Access::Kind::kTableSas) {
    if (requirement.on != On::kEntities) return ToStatus(errors::kAuthorizationFailure);
    // A SAS for another table has another signature.
    if (!EqualsIgnoreCase(table, access.table)) return ToStatus(errors::kAuthenticationFailed);
  } else {
    if (requirement.resource_types.empty()) return ToStatus(errors::kAuthorizationFailure);
    if (!HasAny(access.resource_types, requirement.resource_types)) {
      return ToStatus(errors::kResourceTypeMismatch);
    }
  }
  return Permits(access.permissions, requirement) ? Status()
                                                  : ToStatus(errors::kPermissionMismatch);
}

bool InKeyRange(const Access& access, std::string_view partition_key, std::string_view row_key) {
  return (!access.from || CompareToBound(partition_key, row_key, *access.from) >= 0) &&
         (!access.to || CompareToBound(partition_key, row_key, *access.to) <= 0);
}

}  // namespace aztables
