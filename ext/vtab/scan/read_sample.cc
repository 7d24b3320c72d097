// ReadSample: see read_sample.h.
#include "vtab/scan/read_sample.h"

#include "vtab/scan/similar_tables.h"
#include "vtab/sqlite/interrupt.h"

namespace aztables {
Result<TableSample> ReadSample(Session& session, Connection& connection, const std::string& table,
                               CallOptions call) {
  // A sample has its own limits: fewer entities would make it a different sample, not a cheaper
  // one.
  call.budget.limits.max_requests.reset();
  call.budget.limits.max_entities.reset();
  const InterruptWatch watch(session.db(), call.budget);
  auto sample = SampleTable(*connection.client, table, call, watch.cancel());
  if (sample.ok()) return sample;
  return connection.Note(
      WithSimilarTables(*connection.client, table, call, watch.cancel(), sample.status()));
}

}  // namespace aztables
