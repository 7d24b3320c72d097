// PropertyFilter: see property_filter.h.
#include "plan/property_filter.h"

#include <algorithm>
#include <span>

#include "model/convert.h"
#include "plan/date_filter.h"
#include "plan/number_filter.h"
#include "plan/text_range.h"

namespace aztables {
namespace {

using Type = SqlValue::Type;

// The most percent-encoded characters of a text.
constexpr size_t kMostEncoded = 1'500;

// True for no entity.
Disjunction Nothing() { return {}; }

std::optional<Disjunction> NotEmpty(Conjunction conjunction) {
  if (conjunction.empty()) return std::nullopt;
  return Disjunction{std::move(conjunction)};
}

Disjunction AnyText(std::string_view property) {
  return {One(property, CompareOp::kGe, Value::String(""))};
}

std::optional<Disjunction> StringFilter(std::string_view property, CompareOp op,
                                        const SqlValue& value, bool computed) {
  if (value.type == Type::kBlob && !IsUpper(op)) return Nothing();
  // A number may be compared as a number, with every text that looks like one.
  if (value.type != Type::kText) return std::nullopt;
  if (op == CompareOp::kGe && value.text.empty()) return AnyText(property);
  if (op != CompareOp::kEq) {
    const bool may_be_numeric = computed && !value.as_text;
    return NotEmpty(TextRange(property, op, value.text, may_be_numeric, kMostEncoded));
  }
  if (CanBeSent(value.text, kMostEncoded)) {
    return Disjunction{One(property, op, Value::String(value.text))};
  }
  Conjunction range = TextRange(property, CompareOp::kGe, value.text, false, kMostEncoded);
  for (Comparison& end : TextRange(property, CompareOp::kLe, value.text, false, kMostEncoded)) {
    range.push_back(std::move(end));
  }
  return NotEmpty(std::move(range));
}

// Texts that do not begin like a number, and BLOBs, sort above all numbers.
bool IsNoNumber(const SqlValue& value) {
  if (value.type != Type::kText) return value.type == Type::kBlob;
  constexpr std::string_view kBeginnings = "0123456789+-. \t\n\v\f\r";
  return value.text.empty() || kBeginnings.find(value.text[0]) == std::string_view::npos;
}

Disjunction GuidFilter(std::string_view property, std::string_view text) {
  if (text.empty() || NormalizeGuid(text) != text) return Nothing();  // columns show one form
  return {One(property, CompareOp::kEq, Value::Guid(text))};
}

std::optional<Disjunction> BinaryFilter(std::string_view property, std::string_view bytes) {
  if (bytes.empty() || 2 * bytes.size() > kMostEncoded) return std::nullopt;
  return Disjunction{One(property, CompareOp::kEq, Value::Binary(bytes))};
}

// The numeric types that a column shows.
std::span<const EdmType> NumbersOf(EdmType declared) {
  static constexpr EdmType kNumbers[] = {EdmType::kInt32, EdmType::kInt64, EdmType::kDouble};
  return {kNumbers, declared == EdmType::kInt32 ? 1U : declared == EdmType::kInt64 ? 2U : 3U};
}

// The clauses for several types; nothing if no filter expresses one of them.
std::optional<Disjunction> NumberFilters(std::string_view property, CompareOp op,
                                         const SqlValue& value, std::span<const EdmType> types) {
  if (IsNoNumber(value)) return IsUpper(op) ? std::nullopt : std::optional(Nothing());
  const auto number = NumberOf(value);
  if (!number) return std::nullopt;
  Disjunction all;
  for (const EdmType type : types) {
    auto some = NumberFilter(property, type, op, *number);
    if (!some) return std::nullopt;
    for (Conjunction& alternative : *some) all.push_back(std::move(alternative));
  }
  return all;
}

// For a column of type ANY a value equals only values of its kind. Texts and BLOBs are greater than
// numbers. A number without `as_number` may also equal texts that look like it.
std::optional<Disjunction> AnyFilter(std::string_view property, CompareOp op,
                                     const SqlValue& value) {
  static constexpr EdmType kShownAsNumbers[] = {EdmType::kInt32, EdmType::kInt64, EdmType::kDouble,
                                                EdmType::kBoolean};
  const bool number = value.type == Type::kInteger || value.type == Type::kReal;
  if (number && value.as_number && (op == CompareOp::kEq || IsUpper(op))) {
    return NumberFilters(property, op, value, kShownAsNumbers);
  }
  if (op != CompareOp::kEq) return std::nullopt;
  if (value.type == Type::kBlob) return BinaryFilter(property, value.text);
  auto all = StringFilter(property, op, value, false);
  if (!all) return std::nullopt;
  for (const std::optional<Disjunction>& more :
       {std::optional(GuidFilter(property, value.text)), DateFilter(property, op, value.text)}) {
    if (more && !more->empty()) all->push_back(more->front());
  }
  return all;
}

// A filter that is true for every value that the column shows. Nothing for types that the service
// orders differently.
std::optional<Disjunction> AnyValue(std::string_view property, EdmType declared) {
  switch (declared) {
    case EdmType::kString:
      return AnyText(property);
    case EdmType::kInt32:
    case EdmType::kInt64:
    case EdmType::kDouble: {
      Disjunction all;
      for (const EdmType type : NumbersOf(declared)) {
        for (Conjunction& some : AnyNumber(property, type)) all.push_back(std::move(some));
      }
      return all;
    }
    case EdmType::kBoolean:
      return AnyNumber(property, declared);
    case EdmType::kDateTime:
      return AnyInstant(property);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<CompareOp> CompareOpOf(ConditionOp op) {
  switch (op) {
    case ConditionOp::kEq:
    case ConditionOp::kIs:
      return CompareOp::kEq;
    case ConditionOp::kLt:
      return CompareOp::kLt;
    case ConditionOp::kLe:
      return CompareOp::kLe;
    case ConditionOp::kGt:
      return CompareOp::kGt;
    case ConditionOp::kGe:
      return CompareOp::kGe;
    default:
      return std::nullopt;
  }
}

std::optional<Disjunction> PropertyFilter(std::string_view property, EdmType declared,
                                          ConditionOp condition, const SqlValue& value,
                                          bool computed) {
  if (condition == ConditionOp::kLike) {
    if (value.type != Type::kText) return std::nullopt;
    if (declared == EdmType::kDateTime) return DateLikeFilter(property, value.text);
    if (declared != EdmType::kString) return std::nullopt;
    auto ranges = LikeRanges(property, value.text, kMostEncoded);
    return ranges.size() > 1 ? std::move(ranges) : NotEmpty(std::move(ranges[0]));
  }
  if (condition == ConditionOp::kNotNull) return AnyValue(property, declared);
  const auto op = CompareOpOf(condition);
  if (!op) return std::nullopt;
  if (value.type == Type::kNull) {
    return condition == ConditionOp::kIs ? std::nullopt : std::optional(Nothing());
  }
  const bool equal = *op == CompareOp::kEq;
  switch (declared) {
    case EdmType::kNull:
      return AnyFilter(property, *op, value);
    case EdmType::kString:
      return StringFilter(property, *op, value, computed);
    case EdmType::kInt32:
    case EdmType::kInt64:
    case EdmType::kDouble:
      return NumberFilters(property, *op, value, NumbersOf(declared));
    case EdmType::kBoolean:
      return equal ? NumberFilters(property, *op, value, {&declared, 1}) : std::nullopt;
    case EdmType::kDateTime:
      return value.type == Type::kText ? DateFilter(property, *op, value.text) : std::nullopt;
    case EdmType::kGuid:
      if (!equal || value.type != Type::kText) return std::nullopt;
      return GuidFilter(property, value.text);
    case EdmType::kBinary:
      if (!equal || value.type != Type::kBlob) return std::nullopt;
      return BinaryFilter(property, value.text);
  }
  return std::nullopt;
}

}  // namespace aztables
