// The values of the literals of a $filter: see filter_lexer.h.
#include <limits>

#include "base/encoding.h"
#include "model/convert.h"
#include "model/datetime.h"
#include "odata/filter_lexer.h"

namespace aztables {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::optional<Value> DoubleValue(std::string_view text) {
  if (text == "NaN") return Value::Double(std::numeric_limits<double>::quiet_NaN());
  if (text == "INF") return Value::Double(kInfinity);
  if (text == "-INF") return Value::Double(-kInfinity);
  const auto value = ParseDouble(text);
  return value ? std::optional(Value::Double(*value)) : std::nullopt;
}

std::optional<Value> IntegerValue(std::string_view text, bool wide) {
  if (wide) text.remove_suffix(1);
  const auto value = ParseInteger(text);
  if (!value) return std::nullopt;
  if (wide) return Value::Int64(*value);
  if (!IsInt32(*value)) return std::nullopt;
  return Value::Int32(static_cast<int32_t>(*value));
}

std::optional<Value> BinaryValue(std::string_view hex) {
  std::string bytes;
  if (hex.size() % 2 != 0) return std::nullopt;
  for (size_t i = 0; i < hex.size(); i += 2) {
    const int high = HexValue(hex[i]);
    const int low = HexValue(hex[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high << 4 | low);
  }
  return Value::Binary(bytes);
}

std::optional<Value> DateTimeValue(std::string_view text) {
  const auto ticks = ParseDateTime(text);
  if (!ticks || *ticks < kMinServiceTicks || *ticks > kMaxServiceTicks) return std::nullopt;
  return Value::DateTime(FormatDateTime(*ticks));
}

std::optional<Value> GuidValue(std::string_view text) {
  const std::string guid = text.size() == kGuidSize ? NormalizeGuid(text) : std::string();
  if (guid.empty()) return std::nullopt;
  return Value::Guid(guid);
}

// The text between the quotes, with each doubled quote made single.
std::string Unquoted(std::string_view literal) {
  const size_t begin = literal.find('\'') + 1;
  const std::string_view inner = literal.substr(begin, literal.size() - begin - 1);
  std::string text;
  text.reserve(inner.size());
  for (size_t i = 0; i < inner.size(); ++i) {
    text += inner[i];
    if (inner[i] == '\'') ++i;
  }
  return text;
}

}  // namespace

std::optional<EdmType> WordType(std::string_view word) {
  if (word == "true" || word == "false") return EdmType::kBoolean;
  if (word == "NaN" || word == "INF") return EdmType::kDouble;
  if (word == "null") return EdmType::kNull;
  return std::nullopt;
}

std::optional<Value> LiteralValue(const FilterToken& token) {
  const bool word = token.kind == FilterToken::Kind::kName;
  switch (word ? *WordType(token.text) : token.type) {
    case EdmType::kString:
      return Value::String(Unquoted(token.text));
    case EdmType::kInt32:
      return IntegerValue(token.text, false);
    case EdmType::kInt64:
      return IntegerValue(token.text, true);
    case EdmType::kDouble:
      return DoubleValue(token.text);
    case EdmType::kBoolean:
      return Value::Boolean(token.text == "true");
    case EdmType::kDateTime:
      return DateTimeValue(Unquoted(token.text));
    case EdmType::kGuid:
      return GuidValue(Unquoted(token.text));
    case EdmType::kBinary:
      return BinaryValue(Unquoted(token.text));
    case EdmType::kNull:
      break;
  }
  return Value();
}

}  // namespace aztables
