// BoundPlan: see bound_plan.h.
#include "plan/bound_plan.h"

#include <algorithm>
#include <cmath>

#include "base/encoding.h"
#include "model/convert.h"
#include "plan/bound_keys.h"
#include "plan/property_filter.h"
#include "plan/text_range.h"

namespace aztables {
namespace {

using Type = SqlValue::Type;

// The integer that SQLite considers equal to the value.
std::optional<int64_t> IntegerOf(const SqlValue& value) {
  if (value.type == Type::kInteger) return value.integer;
  std::optional<double> real;
  if (value.type == Type::kReal) real = value.real;
  if (value.type == Type::kText) {
    const std::string_view text = TrimBlanks(value.text);
    if (const auto integer = ParseInteger(text)) return integer;
    real = ParseReal(text);
  }
  return real && std::abs(*real) < 9e18 ? ExactInteger(*real) : std::nullopt;
}

// Whether IsLess() can order two values: texts, integers or reals.
bool AreAlike(const SqlValue& one, const SqlValue& other) {
  return one.type == other.type && one.type != Type::kBlob;
}

bool IsLess(const SqlValue& one, const SqlValue& other) {
  if (one.type == Type::kText) return one.text < other.text;
  return one.type == Type::kInteger ? one.integer < other.integer : one.real < other.real;
}

class Binder {
 public:
  Binder(const ReadPlan& plan, const std::vector<ReadArgument>& arguments, const Schema& schema,
         const TableShape& shape, bool other_types)
      : plan_(plan),
        arguments_(arguments),
        schema_(schema),
        shape_(shape),
        other_types_(other_types) {}

  BoundPlan Bind() {
    if (plan_.rowid_argument > 0) return BindRowids();
    // A partition narrows more than a condition on its rows. If RowKey has
    // conditions too, the ranges of PartitionKey have half of the budget.
    const bool rows = std::any_of(plan_.conditions.begin(), plan_.conditions.end(),
                                  [](const Condition& c) { return c.property == kRowKeyName; });
    BoundKey partition_key(kPartitionKeyName, kLiteralBudget, kLiteralBudget / (rows ? 2 : 1));
    AddTo(partition_key, kPartitionKeyName);
    partition_key.Fit(kLiteralBudget);
    const size_t left = kLiteralBudget - std::min(partition_key.encoded(), kLiteralBudget);
    BoundKey row_key(kRowKeyName, left, left);
    AddTo(row_key, kRowKeyName);
    row_key.Fit(left);
    if (partition_key.empty() || row_key.empty()) return Nothing();
    bound_.unordered = (plan_.order == ReadOrder::kRows && partition_key.may_be_several()) ||
                       (plan_.order == ReadOrder::kPartitions && row_key.may_be_several());
    bound_.page_hint = PageHint();
    bound_.query.select = plan_.select;
    JoinKeys(partition_key, row_key);
    AddProperties();
    return std::move(bound_);
  }

 private:
  static BoundPlan Nothing() {
    BoundPlan nothing;
    nothing.empty = true;
    return nothing;
  }

  BoundPlan BindRowids() {
    std::vector<SqlValue> values{Value(plan_.rowid_argument)};
    if (plan_.rowid_list) values = Argument(plan_.rowid_argument).list;
    std::vector<int64_t>& rowids = bound_.rowids;
    for (const SqlValue& value : values) {
      if (const auto rowid = IntegerOf(value)) rowids.push_back(*rowid);
    }
    if (rowids.empty()) return Nothing();
    std::sort(rowids.begin(), rowids.end());
    rowids.erase(std::unique(rowids.begin(), rowids.end()), rowids.end());
    bound_.kind = ReadKind::kPoint;
    bound_.page_hint = PageHint();
    bound_.query.select = plan_.select;
    return std::move(bound_);
  }

  void AddTo(BoundKey& key, std::string_view name) const {
    for (const Condition& condition : plan_.conditions) {
      if (condition.property == name) key.Add(condition, Argument(condition), EndOf(condition));
    }
  }

  const ReadArgument& Argument(int number) const {
    return arguments_[static_cast<size_t>(number) - 1];
  }
  const ReadArgument& Argument(const Condition& condition) const {
    return Argument(condition.argument);
  }
  const SqlValue& Value(int number) const { return Argument(number).value; }

  SqlValue EndOf(const Condition& condition) const {
    return condition.end > 0 ? Value(condition.end) : SqlValue();
  }

  size_t PageHint() const {
    if (plan_.limit_argument == 0) return 0;
    constexpr int64_t kMost = 1'000'000;
    const auto limit = IntegerOf(Value(plan_.limit_argument));
    if (!limit || *limit < 0 || *limit > kMost) return 0;
    int64_t offset = 0;
    if (plan_.offset_argument > 0) {
      offset = IntegerOf(Value(plan_.offset_argument)).value_or(0);
      if (offset < 0) offset = 0;
      if (offset > kMost) return 0;
    }
    return static_cast<size_t>(*limit + offset);
  }

  // Combines the conditions of both keys: PartitionKey first, as in the index.
  void JoinKeys(BoundKey& partition_key, BoundKey& row_key) {
    const size_t partitions = partition_key.values().size();
    const size_t rows = row_key.values().size();
    if (partitions == 0) {
      bound_.kind = partition_key.limits() ? ReadKind::kPartitionRange : ReadKind::kTableScan;
    } else {
      bound_.partitions = partition_key.TakeValues();
      // Division, so that no product overflows.
      const size_t most = std::max<size_t>(kMostPoints / partitions, 1);
      const bool points = rows > 0 && rows <= most && !ArePages(rows);
      bound_.kind = points ? ReadKind::kPoint : ReadKind::kRowRange;
      if (points) {
        bound_.rows = row_key.TakeValues();
        return;
      }
    }
    partition_key.AddTo(bound_.query.filter, bound_.query.clauses, kMostComparisons);
    row_key.AddTo(bound_.query.filter, bound_.query.clauses, kMostComparisons);
  }

  // Whether pages read this many rows of a partition as cheaply.
  bool ArePages(size_t rows) const {
    return shape_.known &&
           static_cast<int64_t>(rows) >= kPointsOfPage * TableShape::Pages(shape_.largest);
  }

  // Adds the other conditions that fit; a point has none. If one of them is never true, the read is
  // empty.
  void AddProperties() {
    use_.Add(bound_.query);
    size_t longest = 0;
    for (const std::string& text : bound_.partitions)
      longest = std::max(longest, EncodedSize(text));
    use_.comparisons += bound_.partitions.empty() ? 0 : 1;
    use_.encoded += longest;
    // Lists may be long: they use what the others leave.
    for (const bool lists : {false, true}) {
      for (const Condition& condition : plan_.conditions) {
        if (IsKey(condition) || (condition.op == ConditionOp::kIn) != lists) continue;
        auto disjunction = lists ? InFilter(condition) : FilterOf(condition);
        if (!disjunction) continue;
        if (!disjunction->empty()) {
          if (!AddIfItFits(condition, std::move(*disjunction)) && lists) AddSpan(condition);
        } else if (!NoteNever(condition)) {
          bound_ = Nothing();
          return;
        }
      }
    }
  }

  std::optional<Disjunction> FilterOf(const Condition& condition) const {
    const bool compares = condition.op != ConditionOp::kNotNull;
    SqlValue value = compares ? Argument(condition).value : SqlValue();
    std::optional<std::string> beginning;
    if (condition.op == ConditionOp::kLike) {
      beginning = CommonBeginning(value, EndOf(condition));
      if (!beginning) return std::nullopt;
      value = SqlValue::Text(*beginning);
    }
    return PropertyFilter(condition.property, schema_.TypeOf(condition.property), condition.op,
                          value, condition.computed);
  }

  std::optional<Disjunction> InFilter(const Condition& condition) const {
    Disjunction all;
    for (const SqlValue& value : Argument(condition).list) {
      if (all.size() > kMostComparisons) break;  // it will not fit
      auto some = PropertyFilter(condition.property, schema_.TypeOf(condition.property),
                                 ConditionOp::kEq, value, false);
      if (!some) return std::nullopt;
      for (Conjunction& alternative : *some) all.push_back(std::move(alternative));
    }
    return all;
  }

  // The span between the least and the greatest value of a list that is too long.
  void AddSpan(const Condition& condition) {
    const SqlValue* least = nullptr;
    const SqlValue* greatest = nullptr;
    for (const SqlValue& value : Argument(condition).list) {
      if (value.type == Type::kNull) continue;
      if (least == nullptr) least = greatest = &value;
      if (!AreAlike(*least, value)) return;
      if (IsLess(value, *least)) least = &value;
      if (IsLess(*greatest, value)) greatest = &value;
    }
    for (const auto& [op, value] :
         {std::pair(ConditionOp::kGe, least), std::pair(ConditionOp::kLe, greatest)}) {
      auto bound =
          PropertyFilter(condition.property, schema_.TypeOf(condition.property), op, *value, false);
      if (bound && !bound->empty()) AddIfItFits(condition, std::move(*bound));
    }
  }

  // A property whose entities may have other types; nothing if that is impossible or unseen.
  ComparedProperty* Compared(const Condition& condition) {
    const EdmType type = schema_.TypeOf(condition.property);
    const bool timestamp = condition.property == schema_.RemoteName(Schema::kTimestamp);
    if (!other_types_ || type == EdmType::kNull || timestamp) return nullptr;
    auto& all = bound_.compared;
    const auto known = std::find_if(all.begin(), all.end(), [&](const ComparedProperty& property) {
      return property.name == condition.property;
    });
    return known == all.end() ? &all.emplace_back(ComparedProperty{condition.property, type})
                              : &*known;
  }

  // Whether an entity of another type may have to be read although the comparison is never true.
  // No value satisfies a comparison with NULL. A point is read anyway.
  bool NoteNever(const Condition& condition) {
    const ReadArgument& argument = Argument(condition);
    const auto is_null = [](const SqlValue& value) { return value.type == Type::kNull; };
    const bool null = condition.op == ConditionOp::kIn
                          ? std::all_of(argument.list.begin(), argument.list.end(), is_null)
                          : is_null(argument.value);
    if (null) return false;
    ComparedProperty* const property = Compared(condition);
    if (property == nullptr) return false;
    property->never = true;
    return true;
  }

  bool AddIfItFits(const Condition& condition, Disjunction disjunction) {
    if (bound_.kind == ReadKind::kPoint) return true;
    FilterUse use = use_;
    use.Add(disjunction);
    if (!use.Fits()) return false;
    use_ = use;
    static_cast<void>(Compared(condition));
    auto& clauses = bound_.query.clauses;
    const auto same = std::find_if(clauses.begin(), clauses.end(), [&](const Disjunction& clause) {
      return IsPerType(clause, disjunction);
    });
    if (same == clauses.end()) {
      clauses.push_back(std::move(disjunction));
      return true;
    }
    for (size_t i = 0; i < same->size(); ++i) {
      Conjunction& both = (*same)[i];
      both.insert(both.end(), disjunction[i].begin(), disjunction[i].end());
    }
    return true;
  }

  // Whether both clauses compare one property, with one alternative for each of the same types;
  // alternatives of one type follow each other. An entity satisfies both clauses if it satisfies
  // both alternatives of the type that it has.
  static bool IsPerType(const Disjunction& one, const Disjunction& other) {
    if (one.size() != other.size()) return false;
    for (size_t i = 0; i < one.size(); ++i) {
      if (one[i][0].property != other[i][0].property) return false;
      if (one[i][0].literal.type != other[i][0].literal.type) return false;
      if (i > 0 && one[i][0].literal.type == one[i - 1][0].literal.type) return false;
    }
    return true;
  }

  const ReadPlan& plan_;
  const std::vector<ReadArgument>& arguments_;
  const Schema& schema_;
  const TableShape& shape_;
  bool other_types_;
  BoundPlan bound_;
  FilterUse use_;
};

}  // namespace

size_t BoundPlan::size() const {
  if (!points.empty()) return points.size();
  if (partitions.empty()) return 1;
  return partitions.size() * (kind == ReadKind::kPoint ? rows.size() : 1);
}

void BoundPlan::Reverse() {
  std::reverse(partitions.begin(), partitions.end());
  std::reverse(rows.begin(), rows.end());
}

EntityQuery BoundPlan::At(size_t i) const {
  EntityQuery one = query;
  one.kind = ReadKindName(kind);
  if (!points.empty()) one.point = points[i];
  if (partitions.empty()) return one;
  if (kind == ReadKind::kPoint) {
    one.point.emplace(partitions[i / rows.size()], rows[i % rows.size()]);
  } else {
    one.filter.insert(one.filter.begin(), {std::string(kPartitionKeyName), CompareOp::kEq,
                                           Value::String(partitions[i])});
  }
  return one;
}

std::optional<Disjunction> AnyValueFilter(std::string_view property, EdmType declared) {
  if (declared != EdmType::kNull) {
    return PropertyFilter(property, declared, ConditionOp::kNotNull, {}, false);
  }
  Disjunction all;
  for (const EdmType type :
       {EdmType::kString, EdmType::kDouble, EdmType::kBoolean, EdmType::kDateTime}) {
    auto of_type = AnyValueFilter(property, type);
    for (Conjunction& some : *of_type) all.push_back(std::move(some));
  }
  return all;
}

void ReadAll(BoundPlan& read) {
  read.kind = ReadKind::kTableScan;
  read.partitions.clear();
  read.rows.clear();
  read.query.filter.clear();
  read.query.clauses.clear();
}

BoundPlan BindRead(const ReadPlan& plan, const std::vector<ReadArgument>& arguments,
                   const Schema& schema, const TableShape& shape, bool other_types) {
  return Binder(plan, arguments, schema, shape, other_types).Bind();
}

}  // namespace aztables
