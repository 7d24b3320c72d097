// Settle: see settle.h.
#include "write/settle.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/encoding.h"
#include "model/limits.h"
#include "odata/filter.h"
#include "table/page_stream.h"

namespace aztables {
namespace {

// Source of the limit of 15 comparisons: Microsoft, "Querying tables and entities".
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

using Certainty = Evidence::Certainty;
using std::chrono::steady_clock;

bool IsEqual(const Value& a, const Value& b) {
  if (a.type == EdmType::kDouble && b.type == EdmType::kDouble && std::isnan(a.real)) {
    return std::isnan(b.real);
  }
  return a == b;
}

const Value* Find(const std::vector<Property>& properties, std::string_view name) {
  for (const Property& property : properties) {
    if (property.name == name) return &property.value;
  }
  return nullptr;
}

// Whether the entity has the properties that `operation` gives it. A merge leaves others.
bool IsAsWritten(const EntityOperation& operation, const FoundEntity& found, EntityReader& reader) {
  const auto written = reader.All(operation.properties);
  const auto stored = reader.All(found.properties);
  if (!written.ok() || !stored.ok()) return false;
  size_t given = 0;
  for (const Property& property : *written) {
    const Value* const value = Find(*stored, property.name);
    const bool removed = property.value.type == EdmType::kNull;
    if (removed && operation.verb == EntityVerb::kMerge) continue;
    if (removed ? value != nullptr : value == nullptr || !IsEqual(*value, property.value)) {
      return false;
    }
    if (!removed) ++given;
  }
  const bool merges =
      operation.verb == EntityVerb::kMerge || operation.verb == EntityVerb::kInsertOrMerge;
  return merges || given == stored->size();
}

// Operations in the order in which they are read: the refused one first, since it mostly decides,
// then the inserted ones.
std::vector<const EntityOperation*> ReadingOrder(const Egt& egt) {
  std::vector<const EntityOperation*> order;
  for (const EntityOperation& operation : egt.operations) order.push_back(&operation);
  const auto refused =
      static_cast<size_t>(egt.status.failure().operation_index);  // huge if unknown
  if (refused < order.size()) std::swap(order[0], order[refused]);
  std::stable_partition(order.begin() + 1, order.end(), [](const EntityOperation* operation) {
    return operation->verb == EntityVerb::kInsert;
  });
  return order;
}

std::string Name(const EntityOperation& operation) {
  return DescribeEntity(operation.partition_key, operation.row_key);
}

// The best evidence so far. If no entity proves anything, contradictory evidence shows that
// somebody else writes, too.
class Verdict {
 public:
  void Add(const EntityOperation& operation, Evidence evidence) {
    if (evidence.certainty > best_.certainty) best_ = evidence;
    if (evidence.certainty >= Certainty::kFair) {
      (evidence.applied ? shows_applied_ : shows_not_applied_) = true;
    }
    const bool equal = evidence.applied && evidence.certainty >= Certainty::kFair;
    if (evidence.certainty == Certainty::kNone || equal) doubtful_ = &operation;
  }
  bool IsEnough() const { return best_.certainty >= Certainty::kGood && !IsContradictory(); }
  Settlement Settle() const {
    using Finding = Settlement::Finding;
    if (best_.certainty == Certainty::kNone || IsContradictory()) {
      return {Finding::kOpen, "the entity " + (doubtful_ ? Name(*doubtful_) : std::string()) +
                                  " was written by somebody else at the same time"};
    }
    return {best_.applied ? Finding::kApplied : Finding::kNotApplied, ""};
  }

 private:
  bool IsContradictory() const {
    return best_.certainty != Certainty::kProof && shows_applied_ && shows_not_applied_;
  }

  Evidence best_;
  bool shows_applied_ = false;
  bool shows_not_applied_ = false;
  const EntityOperation* doubtful_ = nullptr;  // perhaps written by somebody else
};

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

Evidence Weigh(const EntityOperation& operation, const FoundEntity* found, Ticks first_attempt,
               EntityReader& reader) {
  const bool deletes = operation.verb == EntityVerb::kDelete;
  const bool inserts = operation.verb == EntityVerb::kInsert;
  const bool of_version = !operation.if_match.empty() && operation.if_match != "*";
  if (found == nullptr) {
    // Anybody may have deleted it.
    return deletes ? Evidence{Certainty::kWeak, true} : Evidence{Certainty::kFair, false};
  }
  // The version that was read: nothing was written since.
  const bool unchanged = of_version && !found->etag.empty() && found->etag == operation.if_match;
  const auto written = ParseDateTime(found->timestamp);
  if (unchanged || (written && *written < first_attempt)) {
    return {Certainty::kProof, false};
  }
  if (deletes || !written) return {};
  if (!IsAsWritten(operation, *found, reader)) return {};
  if (inserts) return {Certainty::kGood, true};
  // Somebody else may have changed the same version in the same way: both added 1.
  return {of_version ? Certainty::kFair : Certainty::kWeak, true};
}

Result<Settlement> Settle(const EgtTarget& to, Egt& egt, const Cancel& cancel) {
  const std::vector<const EntityOperation*> order = ReadingOrder(egt);
  EntityReader reader;
  Verdict verdict;
  std::span<const EntityOperation* const> rest = order;
  while (!rest.empty() && !verdict.IsEnough()) {
    FoundEntities found;
    ++egt.settle_reads;
    const auto count = ReadBack(to, rest, true, cancel, found);
    if (!count.ok()) return count.status();
    const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() -
                                                                             *egt.first_attempt);
    const Ticks first_attempt = UnixTime(to.client->ServiceNowMs() - since.count() - kClockErrorMs);
    for (const EntityOperation* operation : rest.first(*count)) {
      const auto entity = found.find(std::string(operation->row_key));
      verdict.Add(*operation, Weigh(*operation, entity == found.end() ? nullptr : &entity->second,
                                    first_attempt, reader));
    }
    rest = rest.subspan(*count);
  }
  return verdict.Settle();
}

}  // namespace aztables
