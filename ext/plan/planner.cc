// Planner: see planner.h.
#include "plan/planner.h"

#include <algorithm>
#include <array>
#include <optional>

#include "plan/bound_plan.h"
#include "plan/estimate.h"
#include "plan/property_filter.h"
#include "plan/strict_comparison.h"

namespace aztables {
namespace {

// More conditions on one key do not narrow it, and a filter has no room for more comparisons.
constexpr int kMostRangesPerKey = 6;
constexpr size_t kMostConditions = kMostComparisons;

// Names that a plan or a filter could read as something else.
constexpr std::string_view kOtherWords[] = {"rowid", "and",  "or",  "not", "true",
                                            "false", "null", "NaN", "INF"};

using Kind = OfferedConstraint::Kind;
using Collation = OfferedConstraint::Collation;

bool IsUpper(ConditionOp op) { return op == ConditionOp::kLt || op == ConditionOp::kLe; }

// Whether a filter for such a comparison may exist. IS NOT NULL is handled last.
bool IsSent(ConditionOp op) {
  return op != ConditionOp::kNotNull && op != ConditionOp::kNe && op != ConditionOp::kIsNot;
}

// Keys are never compared with a real as text.
bool IsReal(const OfferedConstraint& constraint) {
  return constraint.value && constraint.value->type == SqlValue::Type::kReal;
}

class Planner {
 public:
  explicit Planner(const PlanRequest& request) : request_(request) {
    result_.argument_of.assign(request.constraints.size(), 0);
  }

  PlanResult Plan() {
    if (!TakeRowid()) {
      if (request_.pushdown != Pushdown::kNone) {
        TakeKey(kPartitionKeyName, Schema::kPartitionKey);
        TakeKey(kRowKeyName, Schema::kRowKey);
      }
      if (request_.pushdown == Pushdown::kAll) TakeProperties();
      PromiseOrder();
    }
    TakeChecked();
    Select();
    TakeLimit();
    if (MayBeDivided(result_.plan)) result_.plan.ranges = request_.ranges;
    const Estimate estimate = EstimateOf(result_.plan, request_.shape);
    result_.cost = estimate.cost;
    result_.rows = estimate.rows;
    return std::move(result_);
  }

 private:
  int Take(size_t constraint) { return result_.argument_of[constraint] = ++arguments_; }

  void TakeCondition(std::string_view property, size_t constraint) {
    const OfferedConstraint& offered = request_.constraints[constraint];
    Condition condition{std::string(property), offered.op, Take(constraint)};
    condition.computed = IsUpper(offered.op) && !offered.value;
    condition.of_pattern = IsStrict(*request_.schema, offered.column) &&
                           IsPatternBound(request_.constraints, constraint);
    result_.plan.conditions.push_back(std::move(condition));
  }

  bool IsOffered(size_t i, int column) const {
    const OfferedConstraint& offered = request_.constraints[i];
    return offered.kind == Kind::kCompare && offered.usable && offered.column == column;
  }

  // Takes an equality of the rowid, or a list.
  bool TakeRowid() {
    for (const ConditionOp op : {ConditionOp::kEq, ConditionOp::kIn}) {
      for (size_t i = 0; i < request_.constraints.size(); ++i) {
        if (request_.constraints[i].op != op || !IsOffered(i, -1)) continue;
        result_.plan.rowid_argument = Take(i);
        result_.plan.rowid_list = op == ConditionOp::kIn;
        return true;
      }
    }
    return false;
  }

  bool IsBinary(size_t i, int column) const {
    return IsOffered(i, column) && request_.constraints[i].collation == Collation::kBinary;
  }

  // Whether the comparison of texts can be sent: depends on collation and the order of texts.
  bool IsText(size_t i, int column) const {
    return IsBinary(i, column) && (request_.utf8 || !IsRange(request_.constraints[i].op));
  }

  // Takes the two bounds that SQLite makes of a pattern of LIKE, with collation NOCASE. Their
  // values, once known, show whether two bounds are such a pair. The bounds of a LIKE are literals.
  // Another end may have numeric affinity, and SQLite may then keep texts that look like numbers
  // wherever they sort. The LIKE itself is not usable: in a LEFT JOIN SQLite offers the LIKE of ON
  // for the left table too.
  bool TakeLike(std::string_view property, int column) {
    if (!request_.utf8) return false;
    std::optional<size_t> low;
    std::optional<size_t> end;
    for (size_t i = 0; i < request_.constraints.size(); ++i) {
      const OfferedConstraint& offered = request_.constraints[i];
      if (!IsOffered(i, column) || offered.collation != Collation::kNoCase) continue;
      if (offered.op == ConditionOp::kGe && !low) low = i;
      if (offered.op == ConditionOp::kLt && offered.value && !end) end = i;
    }
    if (!low || !end) return false;
    Condition condition{std::string(property), ConditionOp::kLike, Take(*low)};
    condition.end = Take(*end);
    result_.plan.conditions.push_back(std::move(condition));
    return true;
  }

  // Takes an equality of a key, or a list, or else its ranges.
  void TakeKey(std::string_view name, int column) {
    const auto& constraints = request_.constraints;
    for (const ConditionOp op : {ConditionOp::kEq, ConditionOp::kIs, ConditionOp::kIn}) {
      for (size_t i = 0; i < constraints.size(); ++i) {
        if (constraints[i].op != op || !IsText(i, column)) continue;
        TakeCondition(name, i);
        return;
      }
    }
    int taken = 0;
    for (size_t i = 0; i < constraints.size() && taken < kMostRangesPerKey; ++i) {
      if (!IsRange(constraints[i].op) || !IsText(i, column) || IsReal(constraints[i])) continue;
      TakeCondition(name, i);
      ++taken;
    }
    TakeLike(name, column);
  }

  // Whether two columns show the property, or its name could be read as something else.
  bool IsAmbiguous(std::string_view property) const {
    if (std::find(std::begin(kOtherWords), std::end(kOtherWords), property) !=
        std::end(kOtherWords)) {
      return true;
    }
    int columns = 0;
    for (const Column& column : request_.schema->properties) {
      if (column.property == property) ++columns;
    }
    return columns > 1;
  }

  // Whether a part of the constraint may be sent, as far as its value is known.
  bool MayBeSent(const OfferedConstraint& offered, EdmType type) const {
    if (offered.op == ConditionOp::kIn) return true;
    if (!IsSent(offered.op)) return false;
    const bool text = type == EdmType::kString || type == EdmType::kDateTime;
    if (!request_.utf8 && text && IsRange(offered.op)) return false;
    const bool upper = offered.op == ConditionOp::kLt || offered.op == ConditionOp::kLe;
    const bool ordered =
        type == EdmType::kNull
            ? upper
            : type != EdmType::kBoolean && type != EdmType::kGuid && type != EdmType::kBinary;
    if (!ordered && IsRange(offered.op)) return false;
    if (!offered.value) return true;
    SqlValue value = *offered.value;
    value.as_number = true;  // if the statement is plain
    return PropertyFilter("P", type, offered.op, value, false).has_value();
  }

  // The type of a column that shows a property. Nothing if a plan cannot name the property.
  std::optional<EdmType> TypeOf(int column) const {
    const Schema& schema = *request_.schema;
    if (column < Schema::kTimestamp || column >= schema.EtagColumn()) return std::nullopt;
    const Column* const property = schema.PropertyAt(column);
    if (property == nullptr) return EdmType::kDateTime;
    return IsAmbiguous(property->property) ? std::nullopt : std::optional(property->type);
  }

  void TakeProperties() {
    const Schema& schema = *request_.schema;
    for (size_t i = 0; i < request_.constraints.size(); ++i) {
      if (result_.plan.conditions.size() >= kMostConditions) return;
      const OfferedConstraint& offered = request_.constraints[i];
      const auto type = TypeOf(offered.column);
      if (type && IsBinary(i, offered.column) && MayBeSent(offered, *type)) {
        TakeCondition(schema.RemoteName(offered.column), i);
      }
    }
    for (int column = Schema::kTimestamp; column < schema.EtagColumn(); ++column) {
      const auto type = TypeOf(column);
      if (type == EdmType::kString || type == EdmType::kDateTime) {
        TakeLike(schema.RemoteName(column), column);
      }
    }
    TakeNotNulls();
  }

  // CheckLiterals() checks a literal. SQLite shows the literal 5.0 as the integer 5 while it plans,
  // which matters only to keys.
  static bool IsCheckedNow(const OfferedConstraint& offered) {
    const bool key = offered.column == Schema::kPartitionKey || offered.column == Schema::kRowKey;
    return offered.value && !(key && offered.value->type == SqlValue::Type::kInteger);
  }

  // Takes the remaining comparisons whose values are checked.
  void TakeChecked() {
    const Schema& schema = *request_.schema;
    for (size_t i = 0; i < request_.constraints.size(); ++i) {
      const OfferedConstraint& offered = request_.constraints[i];
      const int column = offered.column;
      if (result_.argument_of[i] > 0 || offered.op == ConditionOp::kNotNull ||
          IsCheckedNow(offered) || !IsBinary(i, column) || !IsStrict(schema, column)) {
        continue;
      }
      if (schema.PropertyAt(column) != nullptr && !TypeOf(column)) continue;
      result_.plan.checked.push_back(
          {std::string(request_.schema->RemoteName(column)), offered.op, Take(i)});
    }
  }

  // Takes IS NOT NULL for properties without another condition: any comparison is narrower.
  void TakeNotNulls() {
    std::vector<Condition>& conditions = result_.plan.conditions;
    for (const OfferedConstraint& offered : request_.constraints) {
      if (conditions.size() >= kMostConditions) return;
      if (offered.kind != Kind::kCompare || offered.op != ConditionOp::kNotNull) continue;
      const Column* const column = request_.schema->PropertyAt(offered.column);
      if (column == nullptr || !offered.usable || IsAmbiguous(column->property)) continue;
      const bool has_condition = std::any_of(
          conditions.begin(), conditions.end(),
          [&](const Condition& condition) { return condition.property == column->property; });
      if (has_condition || !PropertyFilter("P", column->type, offered.op, {}, false)) continue;
      conditions.push_back({column->property, offered.op});
    }
  }

  // Whether a condition makes the key equal to one value, by SQLite's comparison.
  bool IsEqual(std::string_view key) const {
    return std::any_of(result_.plan.conditions.begin(), result_.plan.conditions.end(),
                       [&](const Condition& condition) {
                         return condition.property == key && (condition.op == ConditionOp::kEq ||
                                                              condition.op == ConditionOp::kIs);
                       });
  }

  // Promises the order of the rows, if it is the order that SQLite asks for. Only the value shows
  // whether a key equals one text: see BoundPlan::unordered.
  void PromiseOrder() {
    if (request_.order_by.empty() || !request_.keeps_order || !request_.utf8) return;
    if (IsSortedBy({Schema::kPartitionKey, Schema::kRowKey}, true)) {
      Promise(ReadOrder::kKeys);
    } else if (IsSortedBy({Schema::kRowKey, Schema::kPartitionKey}, false)) {
      if (IsEqual(kPartitionKeyName)) {
        Promise(ReadOrder::kRows);
      } else if (IsEqual(kRowKeyName)) {
        Promise(ReadOrder::kPartitions);
      }
    }
  }

  // Whether the order of the two columns, which identify a row, is the order that SQLite asks for.
  // `others`: the two other columns may follow.
  bool IsSortedBy(std::array<int, 2> columns, bool others) const {
    const auto& terms = request_.order_by;
    for (size_t i = 0; i < std::min(terms.size(), columns.size()); ++i) {
      if (terms[i].column != columns[i] || terms[i].descending != terms[0].descending) return false;
    }
    if (terms[0].descending && !MayReadBackwards()) return false;
    return others || terms.size() <= columns.size();
  }

  // Reading backwards needs filters, and GROUP BY does not need it: in GROUP BY PartitionKey ORDER
  // BY count(*) DESC, SQLite asks for PartitionKey DESC. All rows of a list of partitions are read
  // faster in any order.
  bool MayReadBackwards() const {
    const auto& conditions = result_.plan.conditions;
    const bool list = std::any_of(conditions.begin(), conditions.end(), [](const Condition& c) {
      return c.property == kPartitionKeyName && c.op == ConditionOp::kIn;
    });
    const bool all = list && !Usable(Kind::kLimit);
    return !request_.grouped && request_.pushdown != Pushdown::kNone && !all;
  }

  // The constraint of this kind that SQLite can pass.
  std::optional<size_t> Usable(Kind kind) const {
    for (size_t i = 0; i < request_.constraints.size(); ++i) {
      const OfferedConstraint& constraint = request_.constraints[i];
      if (constraint.kind == kind && constraint.usable) return i;
    }
    return std::nullopt;
  }

  void Promise(ReadOrder order) {
    result_.ordered = true;
    result_.plan.order = order;
    result_.plan.reverse = request_.order_by[0].descending;
    if (order == ReadOrder::kKeys && !result_.plan.reverse) PromiseDistinct();
  }

  // If the statement reads only the partition of each row, one row of each partition is enough. The
  // rows of a partition are adjacent in any order of partitions.
  void PromiseDistinct() {
    const auto& order_by = request_.order_by;
    if (!request_.distinct || order_by.size() != 1) return;
    if (order_by[0].column != Schema::kPartitionKey) return;
    for (size_t i = 0; i < request_.used.size(); ++i) {
      if (request_.used[i] && i != static_cast<size_t>(Schema::kPartitionKey)) return;
    }
    result_.plan.distinct = true;
    if (request_.any_order) result_.plan.order = ReadOrder::kNone;
  }

  // The keys are always requested: they identify a row.
  void Select() {
    const Schema& schema = *request_.schema;
    if (request_.used[static_cast<size_t>(schema.EntityColumn())]) return;  // everything
    std::vector<std::string>& select = result_.plan.select;
    select = {"PartitionKey", "RowKey"};
    for (int i = Schema::kTimestamp; i < schema.EtagColumn(); ++i) {
      if (!request_.used[static_cast<size_t>(i)]) continue;
      const std::string name(schema.RemoteName(i));
      if (std::find(select.begin(), select.end(), name) == select.end()) select.push_back(name);
    }
  }

  void TakeLimit() {
    // SQLite reads all rows that it sorts.
    if (!request_.order_by.empty() && !result_.ordered) return;
    const auto take = [this](Kind kind) {
      const auto index = Usable(kind);
      return index ? Take(*index) : 0;
    };
    result_.plan.limit_argument = take(Kind::kLimit);
    if (result_.plan.limit_argument > 0) {
      result_.plan.offset_argument = take(Kind::kOffset);
    }
  }

  const PlanRequest& request_;
  PlanResult result_;
  int arguments_ = 0;
};

}  // namespace

PlanResult PlanRead(const PlanRequest& request) { return Planner(request).Plan(); }

}  // namespace aztables
