// NumberFilter: see number_filter.h.
#include "plan/number_filter.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "base/encoding.h"
#include "model/convert.h"

namespace aztables {
namespace {

// Different readers may read the last digit of a longer text differently.
constexpr size_t kMostTextSize = 15;

// An integer comparison.
struct IntegerBound {
  CompareOp op;
  int64_t bound;
};
enum class Beyond : uint8_t { kNo, kBelow, kAbove, kBetween };

// kNo: `bound` is equivalent to `op real` for integers. kBelow, kAbove: `real` is below or above
// all integers. kBetween: `op` is equality, and no integer equals `real`.
Beyond ToInteger(CompareOp op, double real, IntegerBound& bound) {
  constexpr double kInt64End = 9223372036854775808.0;  // 2^63
  if (real < -kInt64End) return Beyond::kBelow;
  if (real >= kInt64End) return Beyond::kAbove;
  const double whole = std::floor(real);
  bound = {op, static_cast<int64_t>(whole)};
  if (whole == real) return Beyond::kNo;
  if (op == CompareOp::kEq) return Beyond::kBetween;
  // Compares with the greatest integer below it: above that integer, or not.
  bound.op = op == CompareOp::kLt || op == CompareOp::kLe ? CompareOp::kLe : CompareOp::kGt;
  return Beyond::kNo;
}

// The result of a comparison with a number that is beyond all values of the type.
std::optional<Disjunction> BeyondAll(std::string_view property, EdmType type, CompareOp op,
                                     bool above) {
  if (op == CompareOp::kEq || IsUpper(op) != above) return Disjunction();
  return AnyNumber(property, type);
}

std::optional<Disjunction> IntegerFilter(std::string_view property, EdmType type, CompareOp op,
                                         const SqlValue& number) {
  IntegerBound bound{op, number.integer};
  if (number.type == SqlValue::Type::kReal) {
    switch (ToInteger(op, number.real, bound)) {
      case Beyond::kNo:
        break;
      case Beyond::kBetween:
        return Disjunction();
      case Beyond::kBelow:
      case Beyond::kAbove:
        return BeyondAll(property, type, op, number.real > 0);
    }
  }
  if (type == EdmType::kInt64) {
    // Its digits alone, without the sign, are not a valid literal.
    if (bound.bound == std::numeric_limits<int64_t>::min()) return std::nullopt;
    return Disjunction{One(property, bound.op, Value::Int64(bound.bound))};
  }
  const bool above = bound.bound > std::numeric_limits<int32_t>::max();
  if (above || bound.bound <= std::numeric_limits<int32_t>::min()) {
    if (bound.bound == std::numeric_limits<int32_t>::min()) return std::nullopt;
    return BeyondAll(property, type, bound.op, above);
  }
  return Disjunction{One(property, bound.op, Value::Int32(static_cast<int32_t>(bound.bound)))};
}

// The double that is `steps` units of the 15th digit away. A service that shows 15 digits may show
// its value as `real`.
double StepsAway(double real, int steps) {
  if (real == 0) return 0;
  char text[40];
  const double unit = std::pow(10, std::floor(std::log10(std::abs(real))) - 14);
  const auto [end, error] =
      std::to_chars(text, text + sizeof text, real + steps * unit, std::chars_format::general, 15);
  double moved = real;
  static_cast<void>(std::from_chars(text, end, moved));
  return moved;
}

std::optional<Disjunction> DoubleFilter(std::string_view property, CompareOp op,
                                        const SqlValue& number) {
  const double real =
      number.type == SqlValue::Type::kReal ? number.real : static_cast<double>(number.integer);
  if (!std::isfinite(real)) return std::nullopt;
  const double low = StepsAway(real, -1);
  const double high = StepsAway(real, 1);
  if (!std::isfinite(low) || !std::isfinite(high)) return std::nullopt;
  // Never writes -0.0.
  const auto literal = [](double value) { return Value::Double(value == 0 ? 0.0 : value); };
  if (op != CompareOp::kEq) {
    return Disjunction{One(property, op, literal(IsUpper(op) ? high : low))};
  }
  if (low == high) return Disjunction{One(property, op, literal(real))};
  Conjunction near = One(property, CompareOp::kGe, literal(low));
  near.push_back({std::string(property), CompareOp::kLe, literal(high)});
  return Disjunction{std::move(near)};
}

std::optional<Disjunction> BooleanFilter(std::string_view property, CompareOp op,
                                         const SqlValue& number) {
  const double real =
      number.type == SqlValue::Type::kReal ? number.real : static_cast<double>(number.integer);
  Disjunction all;
  for (const bool value : {false, true}) {
    if (!Holds(op, (value ? 1.0 : 0.0) <=> real)) continue;
    all.push_back(One(property, CompareOp::kEq, Value::Boolean(value)));
  }
  return all;
}

}  // namespace

std::optional<SqlValue> NumberOf(const SqlValue& value) {
  if (value.type == SqlValue::Type::kInteger || value.type == SqlValue::Type::kReal) return value;
  if (value.type != SqlValue::Type::kText) return std::nullopt;
  const std::string_view text = TrimBlanks(value.text);
  if (text.empty() || text.size() > kMostTextSize) return std::nullopt;
  if (const auto integer = ParseInteger(text)) return SqlValue::Integer(*integer);
  // Names of numbers and hexadecimal do not count.
  if (text.find_first_not_of("0123456789.-eE") != std::string_view::npos) return std::nullopt;
  const auto real = ParseReal(text);
  return real ? std::optional(SqlValue::Real(*real)) : std::nullopt;
}

std::optional<Disjunction> NumberFilter(std::string_view property, EdmType type, CompareOp op,
                                        const SqlValue& number) {
  switch (type) {
    case EdmType::kInt32:
    case EdmType::kInt64:
      return IntegerFilter(property, type, op, number);
    case EdmType::kDouble:
      return DoubleFilter(property, op, number);
    case EdmType::kBoolean:
      return BooleanFilter(property, op, number);
    default:
      return std::nullopt;
  }
}

Disjunction AnyNumber(std::string_view property, EdmType type) {
  if (type == EdmType::kBoolean) {
    return {One(property, CompareOp::kEq, Value::Boolean(true)),
            One(property, CompareOp::kEq, Value::Boolean(false))};
  }
  const Value zero = type == EdmType::kInt32   ? Value::Int32(0)
                     : type == EdmType::kInt64 ? Value::Int64(0)
                                               : Value::Double(0);
  return {One(property, CompareOp::kLt, zero), One(property, CompareOp::kGe, zero)};
}

}  // namespace aztables
