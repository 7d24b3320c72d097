// ReadSample: see read_sample.h.
#include "read_sample.h"

#include "aztables/model/similar_names.h"
#include "interrupt.h"

namespace aztables {
namespace {

constexpr size_t kMostSimilar = 3;

Status WithSimilarTables(Connection& connection, const std::string& table, const CallOptions& call,
                         const Cancel& cancel, const Status& missing) {
  CallOptions listing = call;  // of an account with very many tables a part would not do
  listing.budget.limits.max_requests = call.budget.spending->requests + kMaxSampleRequests - 1;
  const auto names = connection.client->ListTables(listing, cancel);
  std::string message(missing.message());
  const auto similar =
      names.ok() ? SimilarNames(table, *names, kMostSimilar) : std::vector<std::string>();
  for (size_t i = 0; i < similar.size(); ++i) {
    message += (i == 0 ? "; similar tables: " : ", ") + similar[i];
  }
  return missing.WithMessage(message);
}

}  // namespace

Result<TableSample> ReadSample(Session& session, Connection& connection, const std::string& table,
                               CallOptions call) {
  // A sample has its own bounds: with fewer entities it would be another one, not a cheaper one.
  call.budget.limits.max_requests.reset();
  call.budget.limits.max_entities.reset();
  const InterruptWatch watch(session.db(), call.budget);
  auto sample = SampleTable(*connection.client, table, call, watch.cancel());
  if (sample.ok()) return sample;
  Status status = sample.status();
  if (status.code() == Code::kNotFound) {
    status = WithSimilarTables(connection, table, call, watch.cancel(), status);
  }
  return connection.Note(std::move(status));
}

}  // namespace aztables
