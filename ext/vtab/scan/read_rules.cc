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
  const std::string limit(exceeded.failure().limit);
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

Status ScanGuard::MayAsk(const ReadRules& rules, Spending& spending,
                         void (*warn)(const std::string& message)) {
  const bool first = requests_++ == 0;
  if (rules.scan == ScanRule::kAllow || (first && rules.scan == ScanRule::kWarn)) return {};
  const std::string what = rules.who + ": no condition on PartitionKey limits this read, ";
  if (rules.scan == ScanRule::kDeny) {
    if (first && spending.scan_requests++ < kFirstRequests) return {};
    const std::string why =
        first ? "and scan=deny allows a statement " + std::to_string(kFirstRequests) +
                    " such reads, of one request each"
              : std::string("and scan=deny allows it one request, which is not enough");
    return {Code::kAuth, what + why +
                             "; add PartitionKey = '...' or a range of it, or a LIMIT; to allow it "
                             "on this database connection: " +
                             OverrideLine(rules.scan_of, "scan=allow")};
  }
  if (!warned_) warn(what + "so the whole table is read (scan=warn)");
  warned_ = true;
  return {};
}

}  // namespace aztables
