// ScanGuard: see scan_guard.h.
#include "scan_guard.h"

namespace aztables {

Status ScanGuard::MayAsk(ScanRule rule, Spending& spending, std::string_view who,
                         std::string_view remedy, void (*warn)(const std::string& message)) {
  const bool first = requests_ == 0 && spending.scan_requests < kFirstRequests;
  ++requests_;
  ++spending.scan_requests;
  if (first || rule == ScanRule::kAllow) return {};
  const std::string what = std::string(who) + ": no condition on PartitionKey limits this read, ";
  if (rule == ScanRule::kDeny) {
    return {Code::kAuth, what +
                             "and scan=deny allows it one request, which is not enough; add "
                             "PartitionKey = '...' or a range of it, or a LIMIT; " +
                             std::string(remedy)};
  }
  if (!warned_) warn(what + "so the whole table is read (scan=warn)");
  warned_ = true;
  return {};
}

}  // namespace aztables
