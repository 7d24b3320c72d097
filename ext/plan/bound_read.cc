// BoundRead: see include/aztables/plan/bound_read.h.
#include "aztables/plan/bound_read.h"

#include <algorithm>
#include <charconv>

#include "aztables/base/encoding.h"
#include "aztables/model/key.h"

namespace aztables {
namespace {

using Type = SqlValue::Type;

// Percent-encoded characters that all literals of a filter may have together.
constexpr size_t kLiteralBudget = 7'600;
// No text that looks like a number to SQLite sorts at or behind it.
constexpr std::string_view kAfterNumbers = ":";

// What is known of one key.
struct KeyBounds {
  std::optional<std::string> equal;  // exactly this text
  Conjunction ranges;
};

class Binder {
 public:
  Binder(const ReadPlan& plan, const std::vector<SqlValue>& values) : plan_(plan), values_(values) {
    const size_t literals = plan.conditions.empty() ? 1 : plan.conditions.size();
    // An equality that is too long becomes a range, which has two literals.
    literal_budget_ = kLiteralBudget / (2 * literals);
  }

  BoundRead Bind() {
    for (const KeyCondition& condition : plan_.conditions) {
      const SqlValue& value = Argument(condition.argument);
      KeyBounds& bounds = keys_[condition.key == Key::kPartitionKey ? 0 : 1];
      if (!AddCondition(condition, value, bounds)) return Nothing();
    }
    if (plan_.rowid_argument > 0) {
      read_.rowid = IntegerOf(Argument(plan_.rowid_argument));
      if (!read_.rowid) return Nothing();
    }
    read_.page_hint = PageHint();
    Finish();
    return std::move(read_);
  }

 private:
  static BoundRead Nothing() {
    BoundRead nothing;
    nothing.empty = true;
    return nothing;
  }

  const SqlValue& Argument(int number) const { return values_[static_cast<size_t>(number) - 1]; }

  // False if no row can satisfy the condition.
  bool AddCondition(const KeyCondition& condition, const SqlValue& value, KeyBounds& bounds) const {
    switch (value.type) {
      case Type::kNull:
        return false;
      case Type::kBlob:
        // Every text sorts before every BLOB.
        return condition.op == CompareOp::kLt || condition.op == CompareOp::kLe;
      case Type::kInteger:
      case Type::kReal:
        return true;  // may be compared as numbers, see planner.cc: SQLite does it alone
      case Type::kText:
        break;
    }
    if (condition.op == CompareOp::kEq) return AddEquality(condition.key, value.text, bounds);
    const bool may_be_numeric = condition.computed && !value.parameter;
    if (may_be_numeric && SortsAmongNumbers(value.text)) {
      AddRange(condition.key, CompareOp::kLt, kAfterNumbers, bounds);
    } else {
      AddRange(condition.key, condition.op, value.text, bounds);
    }
    return true;
  }

  // Whether keys that look like numbers may sort behind the text. Digits alone are no text where
  // the affinity is numeric.
  static bool SortsAmongNumbers(std::string_view text) {
    const bool digits =
        !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
    return text < kAfterNumbers && !digits;
  }

  bool AddEquality(Key key, std::string_view text, KeyBounds& bounds) const {
    if (FirstIllegalInKey(text) || !IsValidUtf8(text)) return false;  // no entity has such a key
    // In a filter a quote is written twice.
    const auto quotes = static_cast<size_t>(std::count(text.begin(), text.end(), '\''));
    if (PercentEncodedSize(text) + 3 * quotes <= 2 * literal_budget_) {
      bounds.equal = std::string(text);
      return true;
    }
    AddRange(key, CompareOp::kGe, text, bounds);
    AddRange(key, CompareOp::kLe, text, bounds);
    return true;
  }

  void AddRange(Key key, CompareOp op, std::string_view text, KeyBounds& bounds) const {
    if (op == CompareOp::kGe && text.empty()) return;  // true for every key
    const auto add = [&](CompareOp sent, std::string_view bound) {
      bounds.ranges.push_back({std::string(KeyName(key)), sent, Value::String(bound)});
    };
    const KeyBound bound = LowerBound(text, literal_budget_);
    if (bound.exact) {
      add(op, bound.text);
    } else if (op == CompareOp::kGt || op == CompareOp::kGe) {
      if (!bound.text.empty()) add(CompareOp::kGe, bound.text);
    } else if (const auto end = PrefixEnd(bound.text)) {
      add(CompareOp::kLt, *end);
    }
  }

  // The integer that SQLite would find equal to the value.
  static std::optional<int64_t> IntegerOf(const SqlValue& value) {
    if (value.type == Type::kInteger) return value.integer;
    if (value.type == Type::kReal) return IntegerOf(value.real);
    if (value.type != Type::kText) return std::nullopt;
    std::string_view text = TrimBlanks(value.text);
    if (const auto integer = ParseInteger(text)) return integer;
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    double real = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), real);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return IntegerOf(real);
  }

  static std::optional<int64_t> IntegerOf(double real) {
    if (!(real > -9e18 && real < 9e18)) return std::nullopt;
    const auto integer = static_cast<int64_t>(real);
    if (static_cast<double>(integer) != real) return std::nullopt;
    return integer;
  }

  size_t PageHint() const {
    if (plan_.limit_argument == 0) return 0;
    constexpr int64_t kMost = 1'000'000;
    const auto limit = IntegerOf(Argument(plan_.limit_argument));
    if (!limit || *limit < 0 || *limit > kMost) return 0;
    int64_t offset = 0;
    if (plan_.offset_argument > 0) {
      offset = IntegerOf(Argument(plan_.offset_argument)).value_or(0);
      if (offset < 0) offset = 0;
      if (offset > kMost) return 0;
    }
    return static_cast<size_t>(*limit + offset);
  }

  // Puts the conditions of both keys together: PartitionKey first, as the index is.
  void Finish() {
    bool equal[2] = {};
    bool ranged[2] = {};
    for (size_t i = 0; i < 2; ++i) {
      equal[i] = keys_[i].equal.has_value();
      // > '' leaves out the empty key alone: it does not limit the read.
      ranged[i] =
          std::any_of(keys_[i].ranges.begin(), keys_[i].ranges.end(), [](const Comparison& range) {
            return range.op != CompareOp::kGt || !range.literal.text.empty();
          });
    }
    if (equal[0]) {
      read_.kind = equal[1] ? ReadKind::kPoint : ReadKind::kRowRange;
    } else {
      read_.kind = ranged[0] ? ReadKind::kPartitionRange : ReadKind::kTableScan;
    }
    if (equal[0] && equal[1]) {
      read_.point.emplace(*keys_[0].equal, *keys_[1].equal);
      return;
    }
    for (size_t i = 0; i < 2; ++i) {
      if (equal[i]) {
        const Key key = i == 0 ? Key::kPartitionKey : Key::kRowKey;
        read_.filter.push_back(
            {std::string(KeyName(key)), CompareOp::kEq, Value::String(*keys_[i].equal)});
      }
      for (Comparison& range : keys_[i].ranges) read_.filter.push_back(std::move(range));
    }
  }

  const ReadPlan& plan_;
  const std::vector<SqlValue>& values_;
  size_t literal_budget_;
  KeyBounds keys_[2];
  BoundRead read_;
};

}  // namespace

BoundRead BindRead(const ReadPlan& plan, const std::vector<SqlValue>& values) {
  return Binder(plan, values).Bind();
}

}  // namespace aztables
