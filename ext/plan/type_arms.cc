// Type arms: see type_arms.h.
#include "plan/type_arms.h"

#include <algorithm>
#include <utility>

#include "model/datetime.h"
#include "plan/filter_use.h"
#include "plan/number_filter.h"

namespace aztables {
namespace {

// The types that have arms, in the order in which they get room.
constexpr EdmType kArmTypes[] = {EdmType::kString,   EdmType::kInt32,   EdmType::kDouble,
                                 EdmType::kDateTime, EdmType::kBoolean, EdmType::kInt64};

// Whether a column shows values of the type.
bool Shows(EdmType column, EdmType type) {
  if (column == EdmType::kInt64) return type == EdmType::kInt32 || type == EdmType::kInt64;
  if (column == EdmType::kDouble && type == EdmType::kInt64) return true;
  return column == type || (column == EdmType::kDouble && type == EdmType::kInt32);
}

// Comparisons of which every value of the type satisfies one. Some services
// cannot read the least number as a literal.
Disjunction AnyOf(std::string_view property, EdmType type) {
  if (type != EdmType::kString && type != EdmType::kDateTime) return AnyNumber(property, type);
  const Value least = type == EdmType::kString ? Value::String("")
                                               : Value::DateTime(FormatDateTime(kMinServiceTicks));
  return {One(property, CompareOp::kGe, least)};
}

bool Compares(const Conjunction& alternative, std::string_view property) {
  return std::any_of(alternative.begin(), alternative.end(),
                     [&](const Comparison& one) { return one.property == property; });
}

// What the arm adds to a clause: for each alternative that compares the property, the arm together
// with the comparisons of other properties.
Disjunction ArmOf(const Disjunction& clause, std::string_view property, const Disjunction& any) {
  Disjunction arm;
  std::vector<Conjunction> rests;
  for (const Conjunction& alternative : clause) {
    if (!Compares(alternative, property)) continue;
    Conjunction rest = alternative;
    std::erase_if(rest, [&](const Comparison& one) { return one.property == property; });
    if (rest.empty()) return any;
    rests.push_back(std::move(rest));
  }
  for (const Conjunction& rest : rests) {
    for (Conjunction one : any) {
      one.insert(one.end(), rest.begin(), rest.end());
      arm.push_back(std::move(one));
    }
  }
  return arm;
}

// The names of properties count too: each comparison of an arm repeats one.
size_t EncodedNames(const Disjunction& arm) {
  size_t encoded = 0;
  for (const Conjunction& alternative : arm) {
    for (const Comparison& one : alternative) encoded += EncodedSize(one.property);
  }
  return encoded;
}

// Adds the arms to the query that fit in addition to `use`. Returns false if a comparison that is
// never true got none.
bool Add(EntityQuery& query, const std::vector<ComparedProperty>& compared, FilterUse use) {
  // For the comparisons that are never true: clauses of arms alone.
  std::vector<std::pair<std::string_view, Disjunction>> alone;
  for (const ComparedProperty& property : compared) {
    if (property.never) alone.emplace_back(property.name, Disjunction());
  }
  const std::vector<Disjunction> conditions = query.clauses;
  for (const EdmType type : kArmTypes) {
    for (const ComparedProperty& property : compared) {
      if (Shows(property.type, type)) continue;
      const Disjunction any = AnyOf(property.name, type);
      std::vector<std::pair<Disjunction*, Disjunction>> arms;
      for (size_t i = 0; i < conditions.size(); ++i) {
        Disjunction arm = ArmOf(conditions[i], property.name, any);
        if (!arm.empty()) arms.emplace_back(&query.clauses[i], std::move(arm));
      }
      for (auto& [name, clause] : alone) {
        if (name == property.name) arms.emplace_back(&clause, any);
      }
      FilterUse more = use;
      for (const auto& [clause, arm] : arms) {
        more.Add(arm);
        more.encoded += EncodedNames(arm);
      }
      if (!more.Fits()) continue;
      use = more;
      for (auto& [clause, arm] : arms) {
        clause->insert(clause->end(), std::make_move_iterator(arm.begin()),
                       std::make_move_iterator(arm.end()));
      }
    }
  }
  bool all = true;
  for (auto& [name, clause] : alone) {
    all = all && !clause.empty();
    if (!clause.empty()) query.clauses.push_back(std::move(clause));
  }
  return all;
}

}  // namespace

void AddTypeArms(BoundPlan& read) {
  if (read.kind == ReadKind::kPoint || read.compared.empty()) return;
  FilterUse use;
  use.Add(read.query);
  size_t longest = 0;
  for (const std::string& key : read.partitions) longest = std::max(longest, EncodedSize(key));
  if (!read.partitions.empty()) ++use.comparisons;
  use.encoded += longest;
  read.empty = !Add(read.query, read.compared, use);
}

void AddTypeArms(EntityQuery& query, const std::vector<ComparedProperty>& compared) {
  if (query.point || compared.empty()) return;
  FilterUse use;
  use.Add(query);
  static_cast<void>(Add(query, compared, use));
}

}  // namespace aztables
