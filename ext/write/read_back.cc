// ReadBack: see read_back.h. Source of the limit of 15 comparisons in a filter: Microsoft,
// "Querying tables and entities".
#include "write/read_back.h"

#include "base/encoding.h"
#include "odata/filter.h"
#include "table/page_stream.h"

namespace aztables {
namespace {

constexpr size_t kMostKeys = 14;                 // in a filter, besides PartitionKey
constexpr size_t kLongestFilter = size_t{6000};  // percent-encoded

std::string KeyIs(std::string_view property, std::string_view key) {
  return FilterText({{std::string(property), CompareOp::kEq, Value::String(key)}});
}

// The filter for as many of the operations as it can hold, and their number.
std::pair<std::string, size_t> MakeFilter(std::span<const EntityOperation* const> operations) {
  std::string filter = KeyIs("PartitionKey", operations[0]->partition_key) + " and (";
  size_t count = 0;
  for (const EntityOperation* operation :
       operations.first(std::min(operations.size(), kMostKeys))) {
    const std::string key = KeyIs("RowKey", operation->row_key);
    const size_t size = PercentEncodedSize(filter) + PercentEncodedSize(key);
    if (count > 0 && size > kLongestFilter) break;
    filter += (count++ > 0 ? " or " : "") + key;
  }
  return {filter + ")", count};
}

}  // namespace

Result<size_t> ReadBack(const EgtTarget& to, std::span<const EntityOperation* const> operations,
                        bool whole, const Cancel& cancel, FoundEntities& found) {
  auto [filter, count] = MakeFilter(operations);
  EntityQuery query;
  query.table = to.table;
  query.kind = whole ? "settle" : "existing keys";
  query.raw_filter = std::move(filter);
  if (!whole) query.select = {"PartitionKey", "RowKey"};
  Projection projection;
  projection.entity = whole;
  PageStream stream(to.client, std::move(query), std::move(projection), 0, to.options);
  for (;;) {
    const auto more = stream.NextPage(cancel);
    if (!more.ok()) return more.status();
    if (!*more) return count;
    const EntityPage& page = stream.page();
    for (size_t row = 0; row < page.size(); ++row) {
      const auto text = [&](size_t column) { return std::string(page.At(row, column).view()); };
      found.insert_or_assign(text(EntityPage::kRowKey),
                             FoundEntity{text(EntityPage::kEtag), text(EntityPage::kTimestamp),
                                         whole ? text(EntityPage::kEntity) : std::string()});
    }
  }
}

}  // namespace aztables
