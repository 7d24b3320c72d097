// ReadSample: see read_sample.h.
#include "vtab/scan/read_sample.h"

#include <algorithm>

#include "model/similar_names.h"
#include "table/service_error.h"
#include "vtab/sqlite/interrupt.h"

namespace aztables {

Status WithSimilarTables(const ServiceClient& client, const std::string& table, CallOptions call,
                         const Cancel& cancel, Status status) {
  constexpr size_t kMostSimilar = 3;
  constexpr int64_t kMostRequests = 9;  // a part of a large account's tables is not useful
  if (status.failure().code != "TableNotFound" || call.budget.spending == nullptr) return status;
  std::optional<int64_t>& most = call.budget.limits.max_requests;
  const int64_t bound = call.budget.spending->requests + kMostRequests;
  most = std::min(most.value_or(bound), bound);
  const auto names = client.ListTables(call, cancel);
  if (!names.ok()) return status;
  std::string advice;
  const auto similar = SimilarNames(table, *names, kMostSimilar);
  for (size_t i = 0; i < similar.size(); ++i) {
    advice += (i == 0 ? "; similar tables: " : ", ") + similar[i];
  }
  return status.WithAdvice(advice);
}

Result<TableSample> ReadSample(Session& session, std::string_view connection,
                               const std::string& table, CallOptions call) {
  const auto found = session.FindFor(connection, table);
  if (!found.ok()) return found.status();
  const ServiceClient& client = *(*found)->client;
  // A sample has its own limits: fewer entities would make it a different sample, not a cheaper
  // one.
  call.budget.limits.max_requests.reset();
  call.budget.limits.max_entities.reset();
  const InterruptWatch watch(session.db(), call.budget);
  auto sample =
      SampleTable(client, table, call, watch.cancel(), session.Remote(**found, table)->misfits);
  if (sample.ok()) return sample;
  return (*found)->Note(WithSimilarTables(client, table, call, watch.cancel(), sample.status()));
}

}  // namespace aztables
