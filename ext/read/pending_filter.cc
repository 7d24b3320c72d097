// PendingFilter: see pending_filter.h.
#include "read/pending_filter.h"

#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "plan/filter_use.h"

namespace aztables {
namespace {

// Takes the property clauses out of `clauses`. Those of one conjunction become one clause, so that
// the pending entities are added once.
std::vector<Disjunction> TakeProperties(std::vector<Disjunction>& clauses) {
  std::vector<Disjunction> properties;
  std::vector<Disjunction> others;
  Conjunction all;
  for (Disjunction& clause : clauses) {
    if (!ComparesProperties({clause})) {
      others.push_back(std::move(clause));
    } else if (clause.size() == 1) {
      all.insert(all.end(), std::make_move_iterator(clause[0].begin()),
                 std::make_move_iterator(clause[0].end()));
    } else {
      properties.push_back(std::move(clause));
    }
  }
  if (!all.empty()) properties.insert(properties.begin(), Disjunction{std::move(all)});
  clauses = std::move(others);
  return properties;
}

// The pending entities among the keys, each as a conjunction of conditions that `query` does not
// have already. Nothing if they fit into no filter.
Result<std::optional<Disjunction>> EntitiesOf(const EntityQuery& query, const KeyPredicate& keys,
                                              WriteSnapshot& pending) {
  const bool partition = !IsFixed(query.filter, "PartitionKey");
  const bool row = !IsFixed(query.filter, "RowKey");
  Disjunction entities;
  EntityKey last = keys.begin();
  for (bool after = false;; after = true) {
    const auto item = pending.Next(last, after);
    if (!item.ok()) return item.status();
    if (!*item || keys.EndsBefore((*item)->key)) return std::optional(std::move(entities));
    last = {std::string((*item)->key.partition_key), std::string((*item)->key.row_key)};
    if (!keys.Matches(last)) continue;
    if (entities.size() == kMostComparisons || (!partition && !row)) {
      return std::optional<Disjunction>();
    }
    Conjunction& entity = entities.emplace_back();
    if (partition) {
      entity.push_back({"PartitionKey", CompareOp::kEq, Value::String(last.partition_key)});
    }
    if (row) entity.push_back({"RowKey", CompareOp::kEq, Value::String(last.row_key)});
  }
}

}  // namespace

Result<EntityQuery> WithPending(EntityQuery query, const KeyPredicate& keys,
                                WriteSnapshot& pending) {
  if (!ComparesProperties(query.clauses)) return query;
  const auto entities = EntitiesOf(query, keys, pending);
  if (!entities.ok()) return entities.status();
  if (*entities && (*entities)->empty()) return query;
  std::vector<Disjunction> properties = TakeProperties(query.clauses);
  if (!*entities) return query;
  FilterUse use;
  use.Add(query);
  for (Disjunction& clause : properties) {
    clause.insert(clause.end(), (*entities)->begin(), (*entities)->end());
    use.Add(clause);
    if (!use.Fits()) break;
    query.clauses.push_back(std::move(clause));
  }
  return query;
}

}  // namespace aztables
