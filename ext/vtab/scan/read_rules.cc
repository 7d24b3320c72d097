// ReadRules: see read_rules.h.
#include "vtab/scan/read_rules.h"

#include <optional>

namespace aztables {
namespace {

// The smaller of two limits; whether `limit` was taken.
template <typename T>
bool TakeSmaller(std::optional<T>& smallest, const std::optional<T>& limit) {
  if (!limit || (smallest && *smallest <= *limit)) return false;
  smallest = limit;
  return true;
}

}  // namespace

std::string OverrideLine(std::string_view table, std::string_view option) {
  return "INSERT INTO " + std::string(table) + "(_command) VALUES('" + std::string(option) + "');";
}

std::string LimitOverride(const ReadRules& rules, const Status& exceeded) {
  const std::string limit(exceeded.detail().limit);
  if (limit.empty()) return {};
  const std::string& table = limit == "max_requests"   ? rules.requests_of
                             : limit == "max_entities" ? rules.entities_of
                                                       : rules.time_of;
  return "another limit for this database connection: " + OverrideLine(table, limit + "=none");
}

void ReadRules::Tighten(const TableOptions& options, const std::string& table) {
  if (options.scan > scan) {
    scan = options.scan;
    scan_of = table;
  }
  if (TakeSmaller(limits.max_requests, options.limits.max_requests)) requests_of = table;
  if (TakeSmaller(limits.max_entities, options.limits.max_entities)) entities_of = table;
  if (TakeSmaller(limits.max_time, options.limits.max_time)) time_of = table;
}

}  // namespace aztables
