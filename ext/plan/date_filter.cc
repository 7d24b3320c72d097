// DateFilter: see date_filter.h.
#include "plan/date_filter.h"

#include "model/datetime.h"
#include "plan/date_range.h"
#include "plan/text_range.h"

namespace aztables {
namespace {

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
