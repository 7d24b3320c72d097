// LeaveOut, LeaveOutAll: see egt_remainder.h. Source of the limit of 15 comparisons in a filter:
// Microsoft, "Querying tables and entities".
#include "egt_remainder.h"

#include <string>
#include <unordered_set>

#include "aztables/base/encoding.h"
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

void Erase(Egt& egt, size_t index) {
  const auto at = static_cast<std::ptrdiff_t>(index);
  egt.operations.erase(egt.operations.begin() + at);
  egt.skips.erase(egt.skips.begin() + at);
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

bool LeaveOut(Egt& egt, const Status& failure) {
  const int index = failure.detail().operation_index;
  if (index < 0 || static_cast<size_t>(index) >= egt.skips.size()) return false;
  if (!Skips(egt.skips[static_cast<size_t>(index)], failure)) return false;
  Erase(egt, static_cast<size_t>(index));
  return true;
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
    if (egt.skips[i] == (exists ? Skip::kIfExists : Skip::kIfMissing)) Erase(egt, i);
  }
  return {};
}

}  // namespace aztables
