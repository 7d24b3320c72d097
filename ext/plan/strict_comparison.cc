// Strict comparisons: see strict_comparison.h.
#include "plan/strict_comparison.h"

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

constexpr std::string_view kDateForm = "dddd-dd-ddTdd:dd:dd.dddddddZ";
constexpr size_t kYearSize = 4;
constexpr size_t kDateSize = 10;

bool BeginsAsForm(std::string_view text) {
  if (text.size() > kDateForm.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kDateForm[i] == 'd' ? !digit : text[i] != kDateForm[i]) return false;
  }
  return true;
}

// The value as a number if it is a number or a text of digits.
std::optional<double> NumberIn(const SqlValue& value) {
  if (value.type == Type::kInteger) return static_cast<double>(value.integer);
  if (value.type == Type::kReal) return value.real;
  if (value.type != Type::kText) return std::nullopt;
  double number = 0;
  const char* const end = value.text.data() + value.text.size();
  const auto [stop, error] = std::from_chars(value.text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

constexpr const char* kWholeForm = "'2026-11-20T10:15:00.0000000Z', the whole form";

// The instant of a number, by its magnitude: a Julian day, seconds or milliseconds since 1970, or
// ticks. A number between these may be a year (2026) or a date (20260201).
std::string InstantOf(double number) {
  constexpr double kFirstJulianDay = 1'721'059.5;  // of the year 0
  constexpr double kJulianDays = 5'373'484.5;      // to the year 9999
  constexpr double kFirstSeconds = 100'000'000;    // in 1973
  constexpr double kSeconds = 253'402'300'800;
  constexpr double kMilliseconds = 1000 * kSeconds;
  constexpr double kTicks = 1e7 * (kSeconds + 62'135'596'800);  // since the year 1
  if (number >= kFirstJulianDay && number < kJulianDays) return "aztables_datetime(?)";
  if (number < kFirstSeconds || number >= kTicks) return kWholeForm;
  if (number < kSeconds) return "aztables_datetime(?, 'unixepoch')";
  if (number < kMilliseconds) return "aztables_datetime(? / 1000.0, 'unixepoch')";
  return "aztables_ticks_datetime(?)";
}

// What to write in place of a value; empty: the value is valid.
std::string BetterDate(ConditionOp op, const SqlValue& value) {
  if (value.type == Type::kInteger || value.type == Type::kReal) {
    return InstantOf(*NumberIn(value));
  }
  if (value.type != Type::kText) return {};
  const std::string_view text = value.text;
  const bool means = ParseIso8601(text).has_value();
  const std::string instant = means ? "aztables_datetime(?)" : kWholeForm;
  if (BeginsAsForm(text)) {
    if (text.size() == kDateForm.size()) return {};
    if (!IsRange(op)) return text.size() < kYearSize ? "" : instant;
    const bool lower = op == ConditionOp::kGe || op == ConditionOp::kLt;
    return lower || text.size() <= kDateSize ? "" : instant;
  }
  if (means || EqualsIgnoreCase(TrimBlanks(text), "now")) return "aztables_datetime(?)";
  const auto number = NumberIn(value);
  return number && text.size() > kYearSize ? InstantOf(*number) : "";
}

std::string BetterGuid(const SqlValue& value) {
  if (value.type == Type::kInteger || value.type == Type::kReal)
    return "'c9da6455-213d-42c9-9a79-3e9149a57833'";
  if (value.type != Type::kText) return {};
  const std::string_view text = TrimBlanks(value.text);
  const std::string guid = NormalizeGuid(text);
  if (guid.empty() || guid == value.text) return {};
  return guid.size() == value.text.size() ? "lower(?)" : "lower(trim(?, ' {}'))";
}

constexpr const char* kNoTruth = "0 or 1";

// SQLite compares texts that are numbers as numbers.
std::string BetterBoolean(const SqlValue& value) {
  if (value.type == Type::kInteger) return value.integer == 0 || value.integer == 1 ? "" : kNoTruth;
  if (value.type == Type::kReal) return value.real == 0 || value.real == 1 ? "" : kNoTruth;
  if (value.type != Type::kText) return {};
  const std::string_view text = TrimBlanks(value.text);
  if (EqualsIgnoreCase(text, "true")) return "1";
  return EqualsIgnoreCase(text, "false") ? "0" : "";
}

// A column with one form: its name as SQL writes it, and its type.
struct Compared {
  std::string name;
  EdmType type;
};

constexpr const char* kAllow = ", or set compare=text";

Status CheckValue(const Compared& column, ConditionOp op, const SqlValue& value) {
  const bool date = column.type == EdmType::kDateTime;
  const bool boolean = column.type == EdmType::kBoolean;
  const std::string better = date      ? BetterDate(op, value)
                             : boolean ? BetterBoolean(value)
                                       : BetterGuid(value);
  if (better.empty()) return {};
  const std::string& name = column.name;
  std::string message = "column " + name + (boolean ? " is 0 or 1" : " is compared as text");
  if (better == kNoTruth) return Status::Error(message + "; compare it with one of them" + kAllow);
  const bool list = op == ConditionOp::kIn;
  message += "; write " + name + " " + std::string(EntryOf(op).sql) + " " + (list ? "(" : "") +
             better + (list ? ", ...)" : "");
  // No value equals a prefix.
  if (date && !IsRange(op) && value.type == Type::kText && BeginsAsForm(value.text)) {
    const bool differs = op == ConditionOp::kNe || op == ConditionOp::kIsNot;
    message +=
        ", or " + name + (differs ? " NOT" : "") + " LIKE '" + std::string(value.text) + "%'";
  }
  return Status::Error(message + kAllow);
}

// The column that shows the property.
Compared ColumnOf(const Schema& schema, std::string_view property) {
  if (property == schema.RemoteName(Schema::kTimestamp)) {
    return {std::string(property), EdmType::kDateTime};
  }
  for (const Column& column : schema.properties) {
    if (column.property == property) return {column.name, column.type};
  }
  return {std::string(property), EdmType::kNull};
}

}  // namespace

bool HasOneForm(EdmType type) {
  return type == EdmType::kDateTime || type == EdmType::kGuid || type == EdmType::kBoolean;
}

Status CheckComparisons(const ReadPlan& plan, const std::vector<ReadArgument>& arguments,
                        const Schema& schema,
                        const std::function<std::string(std::string_view)>& sql_name) {
  for (const auto* conditions : {&plan.conditions, &plan.checked}) {
    for (const Condition& condition : *conditions) {
      // SQLite makes the bounds of a LIKE itself.
      if (condition.argument == 0 || condition.op == ConditionOp::kLike) continue;
      Compared column = ColumnOf(schema, condition.property);
      if (!HasOneForm(column.type)) continue;
      column.name = sql_name(column.name);
      const ReadArgument& argument = arguments[static_cast<size_t>(condition.argument) - 1];
      if (condition.op != ConditionOp::kIn) {
        AZTABLES_RETURN_IF_ERROR(CheckValue(column, condition.op, argument.value));
        continue;
      }
      for (const SqlValue& value : argument.list) {
        AZTABLES_RETURN_IF_ERROR(CheckValue(column, condition.op, value));
      }
    }
  }
  return {};
}

}  // namespace aztables
