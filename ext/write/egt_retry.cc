// SkipFailed, SkipGroups, SkipForeseen: see egt_retry.h.
#include "write/egt_retry.h"

#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "model/limits.h"
#include "write/settle.h"

namespace aztables {
namespace {

bool Skips(Skip skip, const Status& status) {
  const Failure& failure = status.failure();
  if (skip == Skip::kIfExists) return failure.code == "EntityAlreadyExists";
  return skip == Skip::kIfMissing && failure.http_status == 404 &&
         failure.code == "ResourceNotFound";
}

// Whether the service refused the operation because of the operation or its entity. Refusals
// because of the user, the time or the state of the table do not count.
bool IsOfEntity(const Status& status) {
  const Failure& failure = status.failure();
  if (failure.may_have_reached || failure.operation_index < 0) return false;
  if (failure.code.starts_with("Table") || failure.code.starts_with("Account")) return false;
  switch (failure.http_status) {
    case 400:
    case 404:
    case 409:
    case 412:
    case 413:
      return true;
    default:
      return false;
  }
}

void Erase(Egt& egt, size_t index) {
  const auto at = static_cast<std::ptrdiff_t>(index);
  egt.operations.erase(egt.operations.begin() + at);
  egt.skips.erase(egt.skips.begin() + at);
  if (!egt.groups.empty()) egt.groups.erase(egt.groups.begin() + at);
}

void SkipOperation(Egt& egt, size_t index) {
  egt.skipped.push_back(egt.operations[index]);
  Erase(egt, index);
}

void Refuse(Egt& egt, size_t index, const Status& status) {
  egt.refused.push_back({.operation = egt.operations[index],
                         .group = egt.groups.empty() ? 0 : egt.groups[index],
                         .status = status,
                         .request_id = egt.request_id});
  Erase(egt, index);
}

// The expected response to an operation, from the ETag of its entity; null: there is no entity. OK
// if the service would accept it.
Status Foresee(const EntityOperation& operation, const std::string* etag) {
  Failure failure;
  const bool conditional = !operation.if_match.empty() && operation.if_match != "*";
  std::string_view what;
  if (operation.verb == EntityVerb::kInsert && etag != nullptr) {
    failure = {.http_status = 409, .code = "EntityAlreadyExists"};
    what = " already exists";
  } else if (!operation.if_match.empty() && etag == nullptr) {
    failure = {.http_status = 404, .code = "ResourceNotFound"};
    what = " no longer exists";
  } else if (conditional && !etag->empty() && *etag != operation.if_match) {
    failure = {.http_status = 412, .code = "UpdateConditionNotSatisfied"};
    what = " was changed since it was read";
  } else {
    return {};
  }
  const Code code = failure.http_status == 409 ? Code::kAlreadyExists : Code::kPrecondition;
  return {code,
          "the entity " + DescribeEntity(operation.partition_key, operation.row_key) +
              std::string(what),
          std::move(failure)};
}

}  // namespace

bool SkipFailed(const EgtTarget& to, Egt& egt) {
  const Status status = egt.status;
  const auto index = static_cast<size_t>(status.failure().operation_index);  // huge if unknown
  if (index < egt.skips.size() && Skips(egt.skips[index], status)) {
    SkipOperation(egt, index);
    return true;
  }
  if (!to.continue_on_error || !IsOfEntity(status)) return false;
  Refuse(egt, index, status);
  SkipGroups(egt, egt);
  return true;
}

void SkipGroups(const Egt& of, Egt& egt) {
  std::unordered_set<size_t> groups;
  for (const RefusedOperation& refused : of.refused) {
    if (refused.group != 0) groups.insert(refused.group);
  }
  if (groups.empty()) return;
  for (size_t i = egt.groups.size(); i-- > 0;) {
    if (groups.count(egt.groups[i]) == 0) continue;
    Refuse(egt, i,
           Status::Error("not sent: an entity whose key was changed with this one was refused"));
    egt.refused.back().request_id.clear();
  }
}

Status SkipForeseen(const EgtTarget& to, Egt& egt, const Cancel& cancel) {
  std::vector<const EntityOperation*> asked;
  for (size_t i = 0; i < egt.operations.size(); ++i) {
    const EntityOperation& operation = egt.operations[i];
    const bool depends = operation.verb == EntityVerb::kInsert || !operation.if_match.empty();
    if (egt.skips[i] == Skip::kNever && !(to.continue_on_error && depends)) continue;
    asked.push_back(&operation);
  }
  FoundEntities found;
  std::span<const EntityOperation* const> rest = asked;
  while (!rest.empty()) {
    const auto count = ReadBack(to, rest, false, cancel, found);
    if (!count.ok()) return count.status();
    rest = rest.subspan(*count);
  }
  for (size_t i = egt.operations.size(); i-- > 0;) {
    const auto entity = found.find(std::string(egt.operations[i].row_key));
    const bool exists = entity != found.end();
    const Status foreseen = Foresee(egt.operations[i], exists ? &entity->second.etag : nullptr);
    if (egt.skips[i] == (exists ? Skip::kIfExists : Skip::kIfMissing)) {
      SkipOperation(egt, i);
    } else if (to.continue_on_error && !foreseen.ok()) {
      Refuse(egt, i, foreseen);
      egt.refused.back().request_id.clear();
    }
  }
  SkipGroups(egt, egt);
  return {};
}

}  // namespace aztables
