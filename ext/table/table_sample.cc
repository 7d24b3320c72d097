// SampleTable: see table_sample.h. Asks what the frontier names and counts
// what comes.
#include "table/table_sample.h"

#include "odata/entity_scan.h"
#include "table/sample_frontier.h"
#include "table/service_error.h"

namespace aztables {
namespace {

class Sampler {
 public:
  Sampler(const ServiceClient& client, const std::string& table, const CallOptions& options,
          const Cancel& cancel)
      : client_(client), table_(table), options_(options), cancel_(cancel) {}

  Result<TableSample> Take() {
    while (requests_ < kMaxSampleRequests) {
      std::optional<Probe> probe = frontier_.Next();
      if (!probe) break;
      AZTABLES_RETURN_IF_ERROR(Look(std::move(*probe)));
    }
    TableSample sample;
    sample.entities = tally_.entities();
    sample.requests = requests_;
    sample.complete = frontier_.complete();
    sample.properties = tally_.Properties();
    return sample;
  }

 private:
  // One page that has entities, or the end of the probe's region.
  Status Look(Probe probe) {
    EntityQuery query;
    query.table = table_;
    query.kind = probe.gap.partition     ? "row range"
                 : !probe.filter.empty() ? "partition range"
                                         : "table scan";
    query.filter = probe.filter;
    PageView view;
    view.next = probe.token;
    sequence_ = client_.NewSequence();
    // A token continues after the entity with which its page ended.
    if (probe.token) {
      AZTABLES_RETURN_IF_ERROR(sequence_.CheckEntity(*probe.gap.low, probe.gap.resume_row));
      AZTABLES_RETURN_IF_ERROR(sequence_.CheckToken(probe.token));
    }
    do {
      AZTABLES_RETURN_IF_ERROR(cancel_.Check());
      const ContinuationToken from = view.next;
      ++requests_;
      auto next = client_.QueryPage(
          query, 0, from, options_, sequence_,
          [&](std::string body) { return ReadPage(std::move(body), probe, view); }, cancel_);
      if (!next.ok()) return next.status();
      view.next = std::move(*next);
      if (passed_gap_) view.next = {};
    } while (view.entities == 0 && view.next && requests_ < kMaxSampleRequests);
    if (view.entities == 0 && view.next) {
      frontier_.GiveBack(std::move(probe));
    } else {
      frontier_.Report(std::move(probe), view);
    }
    return {};
  }

  Result<size_t> ReadPage(std::string body, const Probe& probe, PageView& view) {
    passed_gap_ = false;
    size_t rows = 0;  // of the partition at hand
    Status order;
    auto count = scan_.ReadQuery(std::move(body), [&](const ScannedEntity& entity) {
      if (order.ok()) order = sequence_.CheckEntity(entity.partition_key, entity.row_key);
      if (!order.ok()) return;
      frontier_.Learn(entity.partition_key, entity.row_key);
      // A page that was read on by token may reach into what was seen before.
      passed_gap_ = passed_gap_ || (!probe.gap.partition && probe.gap.high &&
                                    !KeyLess(entity.partition_key, *probe.gap.high));
      if (passed_gap_) return;
      tally_.BeginEntity();
      for (const ScannedProperty& property : entity.properties) {
        tally_.Add(property.name, property.value);
      }
      if (view.entities++ == 0) view.first_partition = entity.partition_key;
      if (view.entities == 1 || view.last_partition != entity.partition_key) {
        view.rows_of_largest_else = std::max(view.rows_of_largest_else, rows);
        rows = 0;
        view.last_partition = entity.partition_key;
        view.last_partition_row = entity.row_key;
      }
      view.last_row = entity.row_key;
      view.rows_of_last = ++rows;
    });
    AZTABLES_RETURN_IF_ERROR(order);
    return count;
  }

  const ServiceClient& client_;
  const std::string& table_;
  const CallOptions& options_;
  const Cancel& cancel_;
  EntityScan scan_;
  PropertyTally tally_;
  SampleFrontier frontier_;
  PageSequence sequence_{true};  // of the probe
  int requests_ = 0;
  bool passed_gap_ = false;  // the page at hand reached what was seen before
};

}  // namespace

Result<TableSample> SampleTable(const ServiceClient& client, const std::string& table,
                                const CallOptions& options, const Cancel& cancel) {
  return Sampler(client, table, options, cancel).Take();
}

}  // namespace aztables
