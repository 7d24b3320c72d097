// PropertyFilter: see property_filter.h.
#include "property_filter.h"

#include <algorithm>
#include <span>

#include "aztables/base/encoding.h"
#include "aztables/model/key.h"
#include "date_range.h"
#include "number_filter.h"

namespace aztables {
namespace {

using Type = SqlValue::Type;

constexpr Ticks kTicksPerMillisecond = 10'000;
constexpr size_t kGuidSize = 36;

// kIs with a value that is not NULL is an equality.
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
    case ConditionOp::kIn:
    case ConditionOp::kLike:
    case ConditionOp::kNotNull:
      break;
  }
  return std::nullopt;
}

// Of a literal that can be written in a request: no control characters, valid UTF-8.
bool CanBeSent(std::string_view text, size_t most_encoded) {
  for (size_t pos = 0; pos < text.size();) {
    const char32_t c = NextCodePoint(text, pos);
    if (c < 0x20 || (c >= 0x7F && c <= 0x9F)) return false;
  }
  const auto quotes = static_cast<size_t>(std::count(text.begin(), text.end(), '\''));
  return IsValidUtf8(text) && PercentEncodedSize(text) + 3 * quotes <= most_encoded;
}

std::string ToUpperAscii(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

std::optional<Alternatives> NotEmpty(Conjunction conjunction) {
  if (conjunction.empty()) return std::nullopt;
  return Alternatives{std::move(conjunction)};
}

Alternatives AnyText(std::string_view property) {
  return {One(property, CompareOp::kGe, Value::String(""))};
}

std::optional<Alternatives> StringFilter(std::string_view property, CompareOp op,
                                         const SqlValue& value, bool computed,
                                         size_t most_encoded) {
  // A number may be compared as one, with every text that looks like it.
  if (value.type != Type::kText) return std::nullopt;
  if (op == CompareOp::kGe && value.text.empty()) return AnyText(property);
  if (op != CompareOp::kEq) {
    const bool may_be_numeric = computed && !value.parameter;
    return NotEmpty(TextRange(property, op, value.text, may_be_numeric, most_encoded));
  }
  if (CanBeSent(value.text, most_encoded)) {
    return Alternatives{One(property, op, Value::String(value.text))};
  }
  Conjunction range = TextRange(property, CompareOp::kGe, value.text, false, most_encoded);
  for (Comparison& end : TextRange(property, CompareOp::kLe, value.text, false, most_encoded)) {
    range.push_back(std::move(end));
  }
  return NotEmpty(std::move(range));
}

// Emulators compare instants by the millisecond, so ranges begin and end at one.
std::optional<Alternatives> FromInstant(std::string_view property, Ticks first) {
  first -= first % kTicksPerMillisecond;
  if (first <= kMinServiceTicks || first > kMaxServiceTicks) return std::nullopt;
  return Alternatives{One(property, CompareOp::kGe, Value::DateTime(FormatDateTime(first)))};
}
std::optional<Alternatives> BeforeInstant(std::string_view property, Ticks end) {
  end += (kTicksPerMillisecond - end % kTicksPerMillisecond) % kTicksPerMillisecond;
  if (end <= kMinServiceTicks || end > kMaxServiceTicks) return std::nullopt;
  return Alternatives{One(property, CompareOp::kLt, Value::DateTime(FormatDateTime(end)))};
}

std::optional<Alternatives> DateFilter(std::string_view property, CompareOp op,
                                       std::string_view text) {
  const auto range = DateRangeOf(text);
  if (!range) return std::nullopt;
  switch (op) {
    case CompareOp::kEq:
      if (!range->exact || range->first < kMinServiceTicks || range->first > kMaxServiceTicks) {
        return std::nullopt;
      }
      return Alternatives{One(property, op, Value::DateTime(text))};
    case CompareOp::kGt:
    case CompareOp::kGe:
      return FromInstant(property, range->first);
    case CompareOp::kLt:
      // A form is below its own beginning only where the instant is.
      return BeforeInstant(property, range->whole ? range->first : range->end);
    case CompareOp::kLe:
      return BeforeInstant(property, range->whole && !range->exact ? range->first : range->end);
    case CompareOp::kNe:
      break;
  }
  return std::nullopt;
}

// The dates whose forms begin so, in any case.
std::optional<Alternatives> DateLikeFilter(std::string_view property, std::string_view beginning) {
  const auto range = DateRangeOf(ToUpperAscii(beginning));
  if (!range) return std::nullopt;
  auto from = FromInstant(property, range->first);
  const auto before = BeforeInstant(property, range->end);
  if (!from || !before) return from ? from : before;
  from->front().push_back(before->front().front());
  return from;
}

bool IsGuid(std::string_view text) {
  if (text.size() != kGuidSize) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool hex = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');
    if (dash ? text[i] != '-' : !hex) return false;
  }
  return true;
}

std::optional<Alternatives> GuidFilter(std::string_view property, std::string_view text) {
  if (!IsGuid(text)) return std::nullopt;
  return Alternatives{One(property, CompareOp::kEq, Value::Guid(text))};
}

std::optional<Alternatives> BinaryFilter(std::string_view property, std::string_view bytes,
                                         size_t most_encoded) {
  if (bytes.empty() || 2 * bytes.size() > most_encoded) return std::nullopt;
  return Alternatives{One(property, CompareOp::kEq, Value::Binary(bytes))};
}

// The numeric types that a column shows.
std::span<const EdmType> NumbersOf(EdmType declared) {
  static constexpr EdmType kNumbers[] = {EdmType::kInt32, EdmType::kInt64, EdmType::kDouble};
  return {kNumbers, declared == EdmType::kInt32 ? 1U : declared == EdmType::kInt64 ? 2U : 3U};
}

// The alternatives of several types; nothing where those of one cannot be said, or there are none.
std::optional<Alternatives> NumberFilters(std::string_view property, CompareOp op,
                                          const SqlValue& value, std::span<const EdmType> types) {
  const auto number = NumberOf(value);
  if (!number) return std::nullopt;
  Alternatives all;
  for (const EdmType type : types) {
    auto some = NumberFilter(property, type, op, *number);
    if (!some) return std::nullopt;
    for (Conjunction& alternative : *some) all.push_back(std::move(alternative));
  }
  if (all.empty()) return std::nullopt;
  return all;
}

// A column of no type: what is equal to a value is of its kind; but a number may be meant as one,
// and texts that look like it, too.
std::optional<Alternatives> AnyFilter(std::string_view property, CompareOp op,
                                      const SqlValue& value, size_t most_encoded) {
  if (op != CompareOp::kEq) return std::nullopt;
  if (value.type == Type::kBlob) return BinaryFilter(property, value.text, most_encoded);
  auto all = StringFilter(property, op, value, false, most_encoded);
  if (!all) return std::nullopt;
  for (const auto& more :
       {GuidFilter(property, value.text), DateFilter(property, op, value.text)}) {
    if (more) all->push_back(more->front());
  }
  return all;
}

Alternatives AnyInstant(std::string_view property) {
  const Value instant = Value::DateTime("2000-01-01T00:00:00.0000000Z");
  return {One(property, CompareOp::kLt, instant), One(property, CompareOp::kGe, instant)};
}

// What every value passes that the column shows. Nothing for types whose order is not the
// service's.
std::optional<Alternatives> AnyValue(std::string_view property, EdmType declared) {
  switch (declared) {
    case EdmType::kString:
      return AnyText(property);
    case EdmType::kInt32:
    case EdmType::kInt64:
    case EdmType::kDouble: {
      Alternatives all;
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

Conjunction TextRange(std::string_view property, CompareOp op, std::string_view text,
                      bool may_be_numeric, size_t most_encoded) {
  const auto range = [&](CompareOp sent, std::string_view bound) {
    return One(property, sent, Value::String(bound));
  };
  const bool upper = op == CompareOp::kLt || op == CompareOp::kLe;
  // Digits alone are no text where the affinity is numeric.
  const bool digits =
      !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  if (upper && may_be_numeric && text < kAfterNumbers && !digits) {
    return range(CompareOp::kLt, kAfterNumbers);
  }
  if (op == CompareOp::kGe && text.empty()) return {};
  const KeyBound bound = LowerBound(text, most_encoded);
  if (bound.exact) return range(op, bound.text);
  if (!upper) return bound.text.empty() ? Conjunction() : range(CompareOp::kGe, bound.text);
  const auto end = PrefixEnd(bound.text);
  return end ? range(CompareOp::kLt, *end) : Conjunction();
}

std::optional<std::string> CommonBeginning(const SqlValue& low, const SqlValue& end) {
  if (low.type != Type::kText || end.type != Type::kText || low.text.empty()) return std::nullopt;
  std::string beginning = ToLowerAscii(low.text);
  if (!IsValidUtf8(beginning)) return std::nullopt;
  std::string behind = beginning;
  ++behind.back();
  if (behind != end.text) return std::nullopt;
  // Behind '@' comes 'A', which NOCASE takes for 'a': texts with '[' or '_' are between, too.
  if (beginning.back() == '@') beginning.pop_back();
  return beginning.empty() ? std::nullopt : std::optional(std::move(beginning));
}

Conjunction LikeRange(std::string_view property, std::string_view beginning, size_t most_encoded) {
  Conjunction range =
      TextRange(property, CompareOp::kGe, ToUpperAscii(beginning), false, most_encoded);
  const KeyBound high = LowerBound(ToLowerAscii(beginning), most_encoded);
  if (const auto end = PrefixEnd(high.text)) {
    range.push_back({std::string(property), CompareOp::kLt, Value::String(*end)});
  }
  return range;
}

size_t EncodedSize(const Conjunction& conjunction) {
  size_t size = 0;
  for (const Comparison& comparison : conjunction) {
    size += PercentEncodedSize(Literal(comparison.literal));
  }
  return size;
}

std::optional<Alternatives> PropertyFilter(std::string_view property, EdmType declared,
                                           ConditionOp condition, const SqlValue& value,
                                           bool computed, size_t most_encoded) {
  if (condition == ConditionOp::kLike) {
    if (value.type != Type::kText) return std::nullopt;
    if (declared == EdmType::kDateTime) return DateLikeFilter(property, value.text);
    if (declared != EdmType::kString) return std::nullopt;
    return NotEmpty(LikeRange(property, value.text, most_encoded));
  }
  if (condition == ConditionOp::kNotNull) return AnyValue(property, declared);
  const auto op = CompareOpOf(condition);
  if (!op) return std::nullopt;
  const bool equal = *op == CompareOp::kEq;
  switch (declared) {
    case EdmType::kNull:
      return AnyFilter(property, *op, value, most_encoded);
    case EdmType::kString:
      return StringFilter(property, *op, value, computed, most_encoded);
    case EdmType::kInt32:
    case EdmType::kInt64:
    case EdmType::kDouble:
      return NumberFilters(property, *op, value, NumbersOf(declared));
    case EdmType::kBoolean:
      return equal ? NumberFilters(property, *op, value, {&declared, 1}) : std::nullopt;
    case EdmType::kDateTime:
      return value.type == Type::kText ? DateFilter(property, *op, value.text) : std::nullopt;
    case EdmType::kGuid:
      return equal && value.type == Type::kText ? GuidFilter(property, value.text) : std::nullopt;
    case EdmType::kBinary:
      return equal && value.type == Type::kBlob ? BinaryFilter(property, value.text, most_encoded)
                                                : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace aztables
