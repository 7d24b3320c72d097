// DateFilter: see date_filter.h.
#include "plan/date_filter.h"

#include <string>

#include "plan/text_range.h"

namespace aztables {
namespace {

constexpr std::string_view kLeast = "0001-01-01T00:00:00.0000000Z";

// The length of the longest prefix of `text` that can be a prefix of a form and ends with a field.
size_t BeginningOfForm(std::string_view text) {
  // The ends of fields. Reading the instant checks the content of the fields.
  constexpr size_t kEnds[] = {28, 27, 26, 25, 24, 23, 22, 21, 19, 16, 13, 10, 7, 4};
  for (const size_t end : kEnds) {
    if (text.size() < end) continue;
    std::string form(text.substr(0, end));
    form += kLeast.substr(end);
    const auto ticks = ParseDateTime(form);
    if (ticks && FormatDateTime(*ticks) == form) return end;
  }
  return 0;
}

// The first instant after those whose forms share the first `size` characters of the form of
// `first`.
Ticks EndOf(Ticks first, size_t size) {
  switch (size) {
    case 4:
    case 7: {
      const std::string form = FormatDateTime(first);
      int year = std::stoi(form.substr(0, 4));
      int month = size == 4 ? 13 : std::stoi(form.substr(5, 2)) + 1;
      if (month > 12) {
        month = 1;
        ++year;
      }
      if (year > 9999) return kMaxServiceTicks + 1;
      const std::string digits = std::to_string(year * 100 + month + 1'000'000);
      const std::string next = digits.substr(1, 4) + "-" + digits.substr(5, 2);
      return *ParseDateTime(next + std::string(kLeast.substr(7)));
    }
    case 10:
      return first + 86'400 * kTicksPerSecond;
    case 13:
      return first + 3'600 * kTicksPerSecond;
    case 16:
      return first + 60 * kTicksPerSecond;
    case 19:
      return first + kTicksPerSecond;
    default:
      break;
  }
  Ticks unit = kTicksPerSecond;  // of the fraction's digits
  for (size_t digits = size - 20; digits > 0 && unit > 1; --digits) unit /= 10;
  return first + unit;
}

// Emulators compare instants in milliseconds, so ranges begin and end at a whole millisecond.
std::optional<Disjunction> FromInstant(std::string_view property, Ticks first) {
  first -= first % kTicksPerMs;
  if (first <= kMinServiceTicks || first > kMaxServiceTicks) return std::nullopt;
  return Disjunction{One(property, CompareOp::kGe, Value::DateTime(FormatDateTime(first)))};
}
std::optional<Disjunction> BeforeInstant(std::string_view property, Ticks end) {
  end += (kTicksPerMs - end % kTicksPerMs) % kTicksPerMs;
  if (end <= kMinServiceTicks || end > kMaxServiceTicks) return std::nullopt;
  return Disjunction{One(property, CompareOp::kLt, Value::DateTime(FormatDateTime(end)))};
}

}  // namespace

std::optional<DateRange> DateRangeOf(std::string_view text) {
  const size_t size = BeginningOfForm(text);
  if (size == 0) return std::nullopt;
  std::string form(text.substr(0, size));
  form += kLeast.substr(size);
  DateRange range;
  range.first = *ParseDateTime(form);
  range.end = EndOf(range.first, size);
  range.whole = size == text.size();
  range.exact = range.whole && size == kDateTimeSize;
  return range;
}

std::optional<Disjunction> DateFilter(std::string_view property, CompareOp op,
                                      std::string_view text) {
  const auto range = DateRangeOf(text);
  if (op == CompareOp::kEq && !(range && range->exact)) return Disjunction();
  if (!range) return std::nullopt;
  switch (op) {
    case CompareOp::kEq:
      if (range->first < kMinServiceTicks || range->first > kMaxServiceTicks) return std::nullopt;
      return Disjunction{One(property, op, Value::DateTime(text))};
    case CompareOp::kGt:
    case CompareOp::kGe:
      return FromInstant(property, range->first);
    case CompareOp::kLt:
      // If the whole text is a prefix, the forms below it are those of the instants before `first`.
      return BeforeInstant(property, range->whole ? range->first : range->end);
    case CompareOp::kLe:
      return BeforeInstant(property, range->whole && !range->exact ? range->first : range->end);
    case CompareOp::kNe:
      break;
  }
  return std::nullopt;
}

std::optional<Disjunction> DateLikeFilter(std::string_view property, std::string_view beginning) {
  const auto range = DateRangeOf(ToUpperAscii(beginning));
  if (!range) return std::nullopt;
  auto from = FromInstant(property, range->first);
  const auto before = BeforeInstant(property, range->end);
  if (!from || !before) return from ? from : before;
  from->front().push_back(before->front().front());
  return from;
}

Disjunction AnyInstant(std::string_view property) {
  const Value instant = Value::DateTime("2000-01-01T00:00:00.0000000Z");
  return {One(property, CompareOp::kLt, instant), One(property, CompareOp::kGe, instant)};
}

}  // namespace aztables
