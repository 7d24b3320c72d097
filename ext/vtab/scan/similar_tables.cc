// WithSimilarTables: see similar_tables.h.
#include "vtab/scan/similar_tables.h"

#include <algorithm>

#include "model/similar_names.h"

namespace aztables {

Status WithSimilarTables(const ServiceClient& client, const std::string& table, CallOptions call,
                         const Cancel& cancel, Status status) {
  constexpr size_t kMostSimilar = 3;
  constexpr int64_t kMostRequests = 9;  // a part of a large account's tables is not useful
  if (status.detail().code != "TableNotFound" || call.budget.spending == nullptr) return status;
  std::optional<int64_t>& most = call.budget.limits.max_requests;
  const int64_t bound = call.budget.spending->requests + kMostRequests;
  most = std::min(most.value_or(bound), bound);
  const auto names = client.ListTables(call, cancel);
  if (!names.ok()) return status;
  std::string message(status.message());
  const auto similar = SimilarNames(table, *names, kMostSimilar);
  for (size_t i = 0; i < similar.size(); ++i) {
    message += (i == 0 ? "; similar tables: " : ", ") + similar[i];
  }
  return status.WithMessage(std::move(message));
}

}  // namespace aztables
