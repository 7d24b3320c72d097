// Strict comparisons: see strict_comparison.h.
#include "plan/strict_comparison.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "base/encoding.h"
#include "model/convert.h"
#include "model/datetime.h"

namespace aztables {
namespace {

using Type = SqlValue::Type;

constexpr size_t kYearSize = 4;
constexpr size_t kDateSize = 10;
constexpr std::string_view kGuidForm = "c9da6455-213d-42c9-9a79-3e9149a57833";

// A comparison of a column with a value of one form.
struct Comparing {
  std::string column;  // as SQL writes it
  EdmType type;        // kString: a key
  ConditionOp op;
  bool literal;  // else the value is an expression or a parameter

  // The comparison as SQL.
  std::string With(std::string_view value) const {
    const bool list = op == ConditionOp::kIn;
    return column + " " + std::string(EntryOf(op).sql) + (list ? " (" : " ") + std::string(value) +
           (list ? ", ...)" : "");
  }
};

// The value as a number if it is a number or a text of digits.
std::optional<double> NumberIn(const SqlValue& value) {
  if (value.type == Type::kInteger) return static_cast<double>(value.integer);
  if (value.type == Type::kReal) return value.real;
  if (value.type != Type::kText) return std::nullopt;
  double number = 0;
  const std::string_view text = TrimBlanks(value.text);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

// The call that makes an instant of a number, by its magnitude: a Julian day, seconds or
// milliseconds since 1970, or ticks. A number between these may be a year (2026) or a date
// (20260201): the result is empty.
std::string InstantOf(double number, const std::string& operand) {
  constexpr double kFirstJulianDay = 1'721'059.5;  // of the year 0
  constexpr double kJulianDays = 5'373'484.5;      // to the year 9999
  constexpr double kFirstSeconds = 100'000'000;    // in 1973
  constexpr double kSeconds = 253'402'300'800;
  constexpr double kMilliseconds = 1000 * kSeconds;
  constexpr double kTicks = 1e7 * (kSeconds + 62'135'596'800);  // since the year 1
  if (number >= kFirstJulianDay && number < kJulianDays) {
    return "aztables_datetime(" + operand + ")";
  }
  if (number < kFirstSeconds || number >= kTicks) return {};
  if (number < kSeconds) return "aztables_datetime(" + operand + ", 'unixepoch')";
  if (number < kMilliseconds) return "aztables_datetime(" + operand + " / 1000.0, 'unixepoch')";
  return "aztables_ticks_datetime(" + operand + ")";
}

bool IsValidDate(ConditionOp op, const SqlValue& value) {
  if (value.type != Type::kText || !BeginsCanonicalDateTime(value.text)) return false;
  const size_t size = value.text.size();
  if (size == kDateTimeSize) return true;
  if (!IsRange(op)) return size < kYearSize;
  return op == ConditionOp::kGe || op == ConditionOp::kLt || size <= kDateSize;
}

// A call or literal with the instant that the value names; empty if it names none.
std::string DateOf(const SqlValue& value, bool literal) {
  const std::string operand = literal ? ShowSqlValue(value) : "...";
  if (value.type == Type::kText) {
    const auto ticks = ParseIso8601(value.text);
    if (ticks && literal) return "'" + FormatDateTime(*ticks) + "'";
    if (ticks || EqualsIgnoreCase(TrimBlanks(value.text), "now")) {
      return "aztables_datetime(" + operand + ")";
    }
    if (value.text.size() <= kYearSize) return {};
  }
  const auto number = NumberIn(value);
  return number ? InstantOf(*number, operand) : "";
}

std::string DateRemedy(const Comparing& comparing, const SqlValue& value) {
  const std::string date = DateOf(value, comparing.literal);
  const bool range = IsRange(comparing.op);
  if (date.empty()) {
    return range ? "write a date in this form, or its beginning, such as '2026-11-20'"
                 : "write a date in this form";
  }
  const std::string verb = comparing.literal ? "write " : "wrap the value: ";
  std::string remedy = verb + comparing.With(date);
  if (!range && BeginsCanonicalDateTime(value.text) && value.type == Type::kText) {
    const bool differs = comparing.op == ConditionOp::kNe || comparing.op == ConditionOp::kIsNot;
    remedy += ", or " + comparing.column + (differs ? " NOT" : "") + " LIKE '" +
              std::string(value.text) + "%'";
  }
  return remedy;
}

bool BeginsGuid(std::string_view text) {
  if (text.size() > kGuidForm.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool hex = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');
    if (kGuidForm[i] == '-' ? text[i] != '-' : !hex) return false;
  }
  return true;
}

bool IsValidGuid(ConditionOp op, const SqlValue& value) {
  return value.type == Type::kText && BeginsGuid(value.text) &&
         (IsRange(op) || value.text.size() == kGuidForm.size());
}

std::string GuidRemedy(const Comparing& comparing, const SqlValue& value) {
  const std::string guid =
      value.type == Type::kText ? NormalizeGuid(TrimBlanks(value.text)) : std::string();
  if (!guid.empty() && comparing.literal) return "write " + comparing.With("'" + guid + "'");
  if (!guid.empty()) {
    const bool trimmed = guid.size() == value.text.size();
    return "wrap the value: " + comparing.With(trimmed ? "lower(...)" : "lower(trim(..., ' {}'))");
  }
  return IsRange(comparing.op) ? "write a GUID in this form, or its beginning"
                               : "write a whole GUID in this form";
}

// SQLite compares texts that are numbers as numbers.
bool IsValidBoolean(const SqlValue& value) {
  const auto number = NumberIn(value);
  return number && (*number == 0 || *number == 1);
}

std::string BooleanRemedy(const Comparing& comparing, const SqlValue& value) {
  const std::string_view text = TrimBlanks(value.text);
  if (EqualsIgnoreCase(text, "true")) return "write " + comparing.With("1");
  if (EqualsIgnoreCase(text, "false")) return "write " + comparing.With("0");
  return "write 0 or 1";
}

Status NotInForm(const Comparing& comparing, std::string_view form, const SqlValue& value,
                 const std::string& remedy) {
  return Status::Error("column " + comparing.column + " is text such as '" + std::string(form) +
                       "', and " + ShowSqlValue(value) + " is not valid; " + remedy);
}

Status CheckValue(const Comparing& comparing, const SqlValue& value) {
  if (value.type == Type::kNull) return {};
  const std::string& name = comparing.column;
  switch (comparing.type) {
    case EdmType::kDateTime:
      if (IsValidDate(comparing.op, value)) return {};
      return NotInForm(comparing, "2026-11-20T10:15:00.0000000Z", value,
                       DateRemedy(comparing, value));
    case EdmType::kGuid:
      if (IsValidGuid(comparing.op, value)) return {};
      return NotInForm(comparing, kGuidForm, value, GuidRemedy(comparing, value));
    case EdmType::kBoolean:
      if (IsValidBoolean(value)) return {};
      return Status::Error("column " + name + " is 0 or 1, not " + ShowSqlValue(value) + "; " +
                           BooleanRemedy(comparing, value));
    default:
      if (value.type != Type::kReal) return {};
      return Status::Error("column " + RealKeyMessage(value.real, name));
  }
}

bool HasOneForm(EdmType type) {
  return type == EdmType::kDateTime || type == EdmType::kGuid || type == EdmType::kBoolean;
}

// The text after which every text with the prefix ends, as SQLite makes it of a pattern.
bool EndsPrefix(std::string_view end, std::string_view prefix) {
  if (prefix.empty() || end.size() != prefix.size()) return false;
  return end.substr(0, end.size() - 1) == prefix.substr(0, prefix.size() - 1) &&
         static_cast<unsigned char>(end.back()) == static_cast<unsigned char>(prefix.back()) + 1;
}

bool IsTextOf(const OfferedConstraint& constraint, int column, ConditionOp op) {
  return constraint.kind == OfferedConstraint::Kind::kCompare && constraint.column == column &&
         constraint.op == op && constraint.value && constraint.value->type == Type::kText;
}

// The column that shows the property.
std::optional<Column> ColumnOf(const Schema& schema, std::string_view property) {
  if (property == schema.RemoteName(Schema::kTimestamp)) {
    return Column{std::string(property), std::string(property), EdmType::kDateTime};
  }
  if (property == kPartitionKeyName || property == kRowKeyName) {
    return Column{std::string(property), std::string(property), EdmType::kString};
  }
  for (const Column& column : schema.properties) {
    if (column.property == property && HasOneForm(column.type)) return column;
  }
  return std::nullopt;
}

}  // namespace

bool IsStrict(const Schema& schema, int column) {
  if (column < 0 || column >= schema.EtagColumn()) return false;
  const Column* const property = schema.PropertyAt(column);
  return property == nullptr || HasOneForm(property->type);  // keys and Timestamp
}

bool IsPatternBound(const std::vector<OfferedConstraint>& constraints, size_t i) {
  const int column = constraints[i].column;
  const bool low = IsTextOf(constraints[i], column, ConditionOp::kGe);
  if (!low && !IsTextOf(constraints[i], column, ConditionOp::kLt)) return false;
  const std::string_view own = constraints[i].value->text;
  const auto is_other = [&](const OfferedConstraint& other) {
    if (!IsTextOf(other, column, low ? ConditionOp::kLt : ConditionOp::kGe)) return false;
    return low ? EndsPrefix(other.value->text, own) : EndsPrefix(own, other.value->text);
  };
  const auto other = std::find_if(constraints.begin(), constraints.end(), is_other);
  if (other == constraints.end()) return false;
  const std::string_view prefix = low ? own : other->value->text;
  return std::any_of(constraints.begin(), constraints.end(), [&](const OfferedConstraint& pattern) {
    if (pattern.kind != OfferedConstraint::Kind::kPattern || pattern.column != column) return false;
    return !pattern.value || pattern.value->text.starts_with(prefix);  // a parameter is not shown
  });
}

Status CheckLiterals(const PlanRequest& request, const SqlName& sql_name) {
  const Schema& schema = *request.schema;
  for (size_t i = 0; i < request.constraints.size(); ++i) {
    const OfferedConstraint& offered = request.constraints[i];
    if (offered.kind != OfferedConstraint::Kind::kCompare || !offered.value ||
        offered.collation != OfferedConstraint::Collation::kBinary ||
        !IsStrict(schema, offered.column) || IsPatternBound(request.constraints, i)) {
      continue;
    }
    const Column* const property = schema.PropertyAt(offered.column);
    const bool date = offered.column == Schema::kTimestamp;
    const EdmType type = property ? property->type : date ? EdmType::kDateTime : EdmType::kString;
    const std::string_view name = property ? property->name : schema.RemoteName(offered.column);
    AZTABLES_RETURN_IF_ERROR(CheckValue({sql_name(name), type, offered.op, true}, *offered.value));
  }
  return {};
}

Status CheckComparisons(const ReadPlan& plan, const std::vector<ReadArgument>& arguments,
                        const Schema& schema, const SqlName& sql_name) {
  for (const auto* conditions : {&plan.conditions, &plan.checked}) {
    for (const Condition& condition : *conditions) {
      // SQLite makes the bounds of a pattern itself.
      if (condition.argument == 0 || condition.op == ConditionOp::kLike || condition.of_pattern) {
        continue;
      }
      const auto column = ColumnOf(schema, condition.property);
      if (!column) continue;
      const Comparing comparing{sql_name(column->name), column->type, condition.op, false};
      const ReadArgument& argument = arguments[static_cast<size_t>(condition.argument) - 1];
      if (condition.op != ConditionOp::kIn) {
        AZTABLES_RETURN_IF_ERROR(CheckValue(comparing, argument.value));
        continue;
      }
      for (const SqlValue& value : argument.list) {
        AZTABLES_RETURN_IF_ERROR(CheckValue(comparing, value));
      }
    }
  }
  return {};
}

}  // namespace aztables
