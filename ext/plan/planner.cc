// Planner: see include/aztables/plan/planner.h.
#include "aztables/plan/planner.h"

namespace aztables {
namespace {

// A filter of the service holds at most 15 comparisons; two keys with so many each stay below.
constexpr int kMaxRangesPerKey = 6;

struct Estimate {
  double cost;
  int64_t rows;
};

// One request costs about as much as a thousand rows that are already here.
Estimate EstimateFor(ReadKind kind, bool has_row_range) {
  switch (kind) {
    case ReadKind::kPoint:
      return {10, 1};
    case ReadKind::kRowRange:
      return has_row_range ? Estimate{50, 50} : Estimate{200, 1000};
    case ReadKind::kPartitionRange:
      return {1e5, 100'000};
    case ReadKind::kTableScan:
      break;
  }
  return {1e7, 1'000'000};
}

bool IsNumber(const OfferedConstraint& constraint) {
  return constraint.value_type == SqlValue::Type::kInteger ||
         constraint.value_type == SqlValue::Type::kReal;
}

// Whether a comparison with a key can be sent as text. A number cannot: against an expression of
// numeric affinity SQLite compares '05' and '5' as equal, and nothing tells such an expression from
// a literal.
bool IsKeyComparison(const OfferedConstraint& constraint, int column) {
  return constraint.kind == OfferedConstraint::Kind::kCompare && constraint.usable &&
         constraint.column == column && constraint.binary && !IsNumber(constraint);
}

class Planner {
 public:
  explicit Planner(const PlanRequest& request) : request_(request) {
    result_.argument_of.assign(request.constraints.size(), 0);
  }

  PlanResult Plan() {
    bool has_row_range = false;
    if (!TakeRowid() && request_.pushdown != Pushdown::kNone) {
      TakeKey(Key::kPartitionKey, Schema::kPartitionKey);
      has_row_range = TakeKey(Key::kRowKey, Schema::kRowKey);
    }
    Select();
    TakeLimit();
    const ReadPlan& plan = result_.plan;
    const ReadKind kind = plan.rowid_argument > 0 ? ReadKind::kPoint : KindOf(plan.conditions);
    const Estimate estimate = EstimateFor(kind, has_row_range);
    result_.cost = estimate.cost;
    result_.rows = estimate.rows;
    return std::move(result_);
  }

 private:
  int Take(size_t constraint) { return result_.argument_of[constraint] = ++arguments_; }

  bool TakeRowid() {
    for (size_t i = 0; i < request_.constraints.size(); ++i) {
      const OfferedConstraint& constraint = request_.constraints[i];
      if (constraint.kind == OfferedConstraint::Kind::kCompare && constraint.usable &&
          constraint.column < 0 && constraint.op == CompareOp::kEq) {
        result_.plan.rowid_argument = Take(i);
        return true;
      }
    }
    return false;
  }

  // Takes the equality of a key, or else its ranges; whether it took anything.
  bool TakeKey(Key key, int column) {
    const auto& constraints = request_.constraints;
    for (size_t i = 0; i < constraints.size(); ++i) {
      if (IsKeyComparison(constraints[i], column) && constraints[i].op == CompareOp::kEq) {
        result_.plan.conditions.push_back({key, CompareOp::kEq, Take(i)});
        return true;
      }
    }
    int taken = 0;
    for (size_t i = 0; i < constraints.size() && taken < kMaxRangesPerKey; ++i) {
      if (!IsKeyComparison(constraints[i], column)) continue;
      const CompareOp op = constraints[i].op;
      const bool upper = op == CompareOp::kLt || op == CompareOp::kLe;
      const bool computed = upper && !constraints[i].value_type;
      result_.plan.conditions.push_back({key, op, Take(i), computed});
      ++taken;
    }
    return taken > 0;
  }

  // The keys are always asked for: a row is identified by them.
  void Select() {
    const Schema& schema = *request_.schema;
    if (request_.used[static_cast<size_t>(schema.EntityColumn())]) return;  // everything
    std::vector<std::string>& select = result_.plan.select;
    select = {"PartitionKey", "RowKey"};
    for (int i = Schema::kTimestamp; i < schema.EtagColumn(); ++i) {
      if (!request_.used[static_cast<size_t>(i)]) continue;
      const std::string name(schema.RemoteName(i));
      bool known = false;
      for (const std::string& selected : select) known = known || selected == name;
      if (!known) select.push_back(name);
    }
  }

  void TakeLimit() {
    if (request_.ordered) return;
    const auto take = [this](OfferedConstraint::Kind kind) {
      for (size_t i = 0; i < request_.constraints.size(); ++i) {
        const OfferedConstraint& constraint = request_.constraints[i];
        if (constraint.kind == kind && constraint.usable) return Take(i);
      }
      return 0;
    };
    result_.plan.limit_argument = take(OfferedConstraint::Kind::kLimit);
    if (result_.plan.limit_argument > 0) {
      result_.plan.offset_argument = take(OfferedConstraint::Kind::kOffset);
    }
  }

  const PlanRequest& request_;
  PlanResult result_;
  int arguments_ = 0;
};

}  // namespace

PlanResult PlanRead(const PlanRequest& request) { return Planner(request).Plan(); }

}  // namespace aztables
