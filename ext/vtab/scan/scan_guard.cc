// ScanGuard: see scan_guard.h.
#include "vtab/scan/scan_guard.h"

namespace aztables {

Status ScanGuard::MayAsk(ScanRule rule, Spending& spending, std::string_view who,
                         std::string_view remedy, void (*warn)(const std::string& message)) {
  const bool first = requests_++ == 0;
  if (rule == ScanRule::kAllow || (first && rule == ScanRule::kWarn)) return {};
  const std::string what = std::string(who) + ": no condition on PartitionKey limits this read, ";
  if (rule == ScanRule::kDeny) {
    if (first && spending.scan_requests++ < kFirstRequests) return {};
    const std::string why =
        first ? "and scan=deny allows a statement " + std::to_string(kFirstRequests) +
                    " such reads, of one request each"
              : std::string("and scan=deny allows it one request, which is not enough");
    return {Code::kAuth, what + why + "; add PartitionKey = '...' or a range of it, or a LIMIT; " +
                             std::string(remedy)};
  }
  if (!warned_) warn(what + "so the whole table is read (scan=warn)");
  warned_ = true;
  return {};
}

}  // namespace aztables
