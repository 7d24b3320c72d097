// SampleTable: see table_sample.h. It reads the probes of the frontier and counts the properties.
#include "table/table_sample.h"

#include <algorithm>

#include "odata/entity_page.h"
#include "odata/entity_reader.h"
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
  // Reads one page that has entities, or the end of the probe's region.
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
    // A token continues after the last entity of its page.
    if (probe.token) {
      AZTABLES_RETURN_IF_ERROR(sequence_.CheckEntity(*probe.gap.low, probe.gap.resume_row));
      AZTABLES_RETURN_IF_ERROR(sequence_.CheckToken(probe.token));
    }
    do {
      AZTABLES_RETURN_IF_ERROR(cancel_.Check());
      const ContinuationToken from = view.next;
      ++requests_;
      auto next = client_.QueryPage(query, 0, from, options_, sequence_, page_, cancel_);
      if (!next.ok()) return next.status();
      AZTABLES_RETURN_IF_ERROR(ViewPage(probe, view));
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

  Status ViewPage(const Probe& probe, PageView& view) {
    passed_gap_ = false;
    size_t rows = 0;  // of the partition at hand
    for (size_t row = 0; row < page_.size(); ++row) {
      const std::string_view partition = page_.At(row, EntityPage::kPartitionKey).view();
      const std::string_view row_key = page_.At(row, EntityPage::kRowKey).view();
      frontier_.Learn(partition, row_key);
      // A page that was read by token may extend into the known part.
      passed_gap_ = passed_gap_ || (!probe.gap.partition && probe.gap.high &&
                                    !KeyLess(partition, *probe.gap.high));
      if (passed_gap_) continue;
      AZTABLES_RETURN_IF_ERROR(Count(page_.At(row, EntityPage::kEntity).view()));
      if (view.entities++ == 0) view.first_partition = partition;
      if (view.entities == 1 || view.last_partition != partition) {
        view.rows_of_largest_else = std::max(view.rows_of_largest_else, rows);
        rows = 0;
        view.last_partition = partition;
        view.last_partition_row = row_key;
      }
      view.last_row = row_key;
      view.rows_of_last = ++rows;
    }
    return {};
  }

  // Counts the properties of an entity. A value that does not fit its annotation has no type.
  Status Count(std::string_view entity) {
    tally_.BeginEntity();
    const auto properties = reader_.All(entity);
    if (properties.ok()) {
      for (const Property& property : *properties) {
        if (property.value.type != EdmType::kNull) tally_.Add(property.name, property.value);
      }
      return {};
    }
    const auto names = reader_.Names(entity);
    if (!names.ok()) return names.status();
    for (const std::string& name : *names) {
      const auto value = reader_.Get(entity, name);
      tally_.Add(name, value.ok() ? *value : Value());
    }
    return {};
  }

  const ServiceClient& client_;
  const std::string& table_;
  const CallOptions& options_;
  const Cancel& cancel_;
  EntityPage page_{{.properties = {}, .entity = true}};
  EntityReader reader_;
  PropertyTally tally_;
  SampleFrontier frontier_;
  PageSequence sequence_{true};  // of the probe
  int requests_ = 0;
  bool passed_gap_ = false;  // the current page reached the known part
};

}  // namespace

Result<TableSample> SampleTable(const ServiceClient& client, const std::string& table,
                                const CallOptions& options, const Cancel& cancel) {
  return Sampler(client, table, options, cancel).Take();
}

}  // namespace aztables
