// LeaveOut, LeaveOutAll: see egt_remainder.h. Source of the limit of 15 comparisons in a filter:
// Microsoft, "Querying tables and entities".
#include "egt_remainder.h"

#include <string>
#include <unordered_set>

#include "aztables/base/encoding.h"
#include "aztables/model/limits.h"
#include "aztables/odata/filter.h"
#include "aztables/table/page_stream.h"

namespace aztables {
namespace {

constexpr size_t kMostKeys = 14;                 // in a filter, besides PartitionKey
constexpr size_t kLongestFilter = size_t{6000};  // percent-encoded

bool Skips(Skip skip, const Status& failure) {
  const ServiceDetail& detail = failure.detail();
  if (skip == Skip::kIfExists) return detail.code == "EntityAlreadyExists";
  return skip == Skip::kIfMissing && detail.http_status == 404 && detail.code == "ResourceNotFound";
}

// Whether the service has refused the operations for what they are, not for who asks or when.
bool IsOfOperations(const Status& failure) {
  const ServiceDetail& detail = failure.detail();
  if (detail.may_have_reached || detail.http_status < 400 || detail.http_status >= 500) {
    return false;
  }
  return detail.http_status != 401 && detail.http_status != 403 && detail.http_status != 408 &&
         detail.http_status != 429 && detail.code != "TableNotFound";
}

void Erase(Egt& egt, size_t index) {
  const auto at = static_cast<std::ptrdiff_t>(index);
  egt.operations.erase(egt.operations.begin() + at);
  egt.skips.erase(egt.skips.begin() + at);
  if (!egt.groups.empty()) egt.groups.erase(egt.groups.begin() + at);
}

void Refuse(Egt& egt, size_t index, const Status& status) {
  egt.refused.push_back({.operation = egt.operations[index],
                         .group = egt.groups.empty() ? 0 : egt.groups[index],
                         .status = status,
                         .request_id = egt.request_id});
  Erase(egt, index);
}

Status Exists(const EntityOperation& operation) {
  ServiceDetail detail;
  detail.http_status = 409;
  detail.code = "EntityAlreadyExists";
  return {Code::kAlreadyExists,
          "the entity " + DescribeEntity(operation.partition_key, operation.row_key) +
              " already exists",
          std::move(detail)};
}

std::string KeyIs(std::string_view property, std::string_view key) {
  return FilterText({{std::string(property), CompareOp::kEq, Value::String(key)}});
}

// Adds the row keys of the entities that `filter` finds to `found`.
Status Ask(const TableWrites& writes, const std::string& filter, const Cancel& cancel,
           std::unordered_set<std::string>& found) {
  EntityQuery query;
  query.table = writes.table;
  query.kind = "existing keys";
  query.raw_filter = filter;
  query.select = {"PartitionKey", "RowKey"};
  PageStream stream(writes.client, std::move(query), Projection{}, 0, writes.options);
  for (;;) {
    const auto more = stream.NextPage(cancel);
    if (!more.ok()) return more.status();
    if (!*more) return {};
    for (size_t row = 0; row < stream.page().size(); ++row) {
      found.emplace(stream.page().At(row, EntityPage::kRowKey).view());
    }
  }
}

}  // namespace

bool LeaveOut(const TableWrites& writes, Egt& egt) {
  const Status failure = egt.status;
  const auto index = static_cast<size_t>(failure.detail().operation_index);  // huge where unknown
  if (index < egt.skips.size() && Skips(egt.skips[index], failure)) {
    Erase(egt, index);
    return true;
  }
  if (!writes.leave_out_refused || !IsOfOperations(failure)) return false;
  if (index < egt.operations.size()) {
    Refuse(egt, index, failure);
  } else {
    while (!egt.operations.empty()) Refuse(egt, 0, failure);
  }
  LeaveOutGroups(egt, egt);
  return true;
}

void LeaveOutGroups(const Egt& of, Egt& egt) {
  std::unordered_set<size_t> groups;
  for (const Refusal& refusal : of.refused) {
    if (refusal.group != 0) groups.insert(refusal.group);
  }
  if (groups.empty()) return;
  for (size_t i = egt.groups.size(); i-- > 0;) {
    if (groups.count(egt.groups[i]) == 0) continue;
    Refuse(egt, i,
           Status::Error("not sent: an entity whose key was changed with this one was refused"));
    egt.refused.back().request_id.clear();
  }
}

Status LeaveOutAll(const TableWrites& writes, Egt& egt, const Cancel& cancel) {
  std::unordered_set<std::string> found;
  std::string filter;
  size_t keys = 0;
  const auto ask = [&]() -> Status {
    if (keys == 0) return {};
    filter += ')';
    keys = 0;
    return Ask(writes, filter, cancel, found);
  };
  for (size_t i = 0; i < egt.operations.size(); ++i) {
    if (egt.skips[i] == Skip::kNever) continue;
    const std::string key = KeyIs("RowKey", egt.operations[i].row_key);
    if (keys == kMostKeys ||
        PercentEncode(filter).size() + PercentEncode(key).size() > kLongestFilter) {
      AZTABLES_RETURN_IF_ERROR(ask());
    }
    if (keys == 0) {
      filter = KeyIs("PartitionKey", egt.partition_key) + " and (";
    } else {
      filter += " or ";
    }
    filter += key;
    ++keys;
  }
  AZTABLES_RETURN_IF_ERROR(ask());
  for (size_t i = egt.operations.size(); i-- > 0;) {
    const bool exists = found.count(std::string(egt.operations[i].row_key)) > 0;
    if (exists && egt.skips[i] == Skip::kRefusedIfExists) {
      Refuse(egt, i, Exists(egt.operations[i]));
    } else if (egt.skips[i] == (exists ? Skip::kIfExists : Skip::kIfMissing)) {
      Erase(egt, i);
    }
  }
  return {};
}

}  // namespace aztables
