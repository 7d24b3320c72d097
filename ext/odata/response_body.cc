// Readers of the small responses: see response_body.h.
#include "odata/response_body.h"

#include <simdjson.h>

#include <optional>

#include "base/encoding.h"
#include "model/datetime.h"
#include "model/limits.h"
#include "odata/entity_reader.h"
#include "odata/json_document.h"
#include "odata/json_tokens.h"

namespace aztables {
namespace {

// {"odata.error":{"code":"C","message":{"lang":"en-US","value":"text"}}}
bool ReadJsonError(std::string_view body, ErrorBody& out) {
  JsonTokens tokens;
  size_t token = 0;
  const auto ok = [&out](const Status& status) {
    out.lacks_memory = out.lacks_memory || status.code() == Code::kNoMemory;
    return status.ok();
  };
  // It may be cut off.
  if (!ok(tokens.Read(std::string(body))) || tokens.At(0) != '{' || !ok(SkipJson(tokens, token)) ||
      token != tokens.size()) {
    return false;
  }
  JsonDocument json;
  json.SetBody(std::string(body));
  simdjson::ondemand::document document;
  if (!ok(json.Parse(document))) return false;
  simdjson::ondemand::object error;
  if (document["odata.error"].get_object().get(error)) return false;
  std::string_view text;
  if (json.Text(error["code"].get_raw_json_string()).get(text)) return false;
  out.code = text;
  if (!json.Text(error["message"]["value"].get_raw_json_string()).get(text)) out.message = text;
  return true;
}

// The text of the first element with the name `name`, in any case and with any prefix.
std::optional<std::string> XmlElement(std::string_view body, std::string_view name) {
  for (size_t open = body.find('<'); open != std::string_view::npos;
       open = body.find('<', open + 1)) {
    const size_t close = body.find('>', open);
    if (close == std::string_view::npos) return std::nullopt;
    std::string_view tag = body.substr(open + 1, close - open - 1);
    tag = tag.substr(0, tag.find_first_of(" \t\r\n/"));
    if (const size_t colon = tag.find(':'); colon != std::string_view::npos) {
      tag.remove_prefix(colon + 1);
    }
    if (!EqualsIgnoreCase(tag, name)) continue;
    const size_t end = body.find('<', close);
    if (end == std::string_view::npos) return std::nullopt;
    return std::string(body.substr(close + 1, end - close - 1));
  }
  return std::nullopt;
}

std::string UnescapeXml(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&amp;", "&"}};
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    bool replaced = false;
    for (const auto& [from, to] : kEntities) {
      if (text.compare(i, from.size(), from) == 0) {
        out += to;
        i += from.size() - 1;
        replaced = true;
        break;
      }
    }
    if (!replaced) out += text[i];
  }
  return out;
}

bool ReadXmlError(std::string_view body, ErrorBody& out) {
  if (!XmlElement(body, "error")) return false;
  const auto code = XmlElement(body, "code");
  if (!code) return false;
  out.code = UnescapeXml(*code);
  out.message = UnescapeXml(XmlElement(body, "message").value_or(""));
  return true;
}

// "3:The specified entity already exists." -> 3
void SplitIndex(ErrorBody& error) {
  const size_t colon = error.message.find(':');
  if (colon == std::string::npos || colon == 0 || colon > 3) return;
  const std::string_view digits = std::string_view(error.message).substr(0, colon);
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return;
  error.operation_index = static_cast<int>(*ParseInteger(digits));
  error.message.erase(0, colon + 1);
}

// Reads the object at `token`, and moves `token` after it.
Result<std::string> ReadTableName(const JsonTokens& tokens, size_t& token) {
  const size_t begin = token;
  AZTABLES_RETURN_IF_ERROR(SkipJson(tokens, token));  // so it is a whole object
  std::string name;
  for (size_t member = begin + 1; member + 1 < token;) {
    const bool is_name = UnescapeJson(tokens.String(member)) == "TableName";
    member += 2;
    if (is_name && tokens.At(member) != '"') break;
    if (is_name) name = UnescapeJson(tokens.String(member));
    AZTABLES_RETURN_IF_ERROR(SkipJson(tokens, member));
    ++member;
  }
  if (name.empty()) return JsonShapeError("a table has no \"TableName\"");
  return name;
}

}  // namespace

ErrorBody ReadErrorBody(std::string_view body) {
  ErrorBody error;
  if (!ReadJsonError(body, error) && !ReadXmlError(body, error)) {
    return {.lacks_memory = error.lacks_memory};
  }
  error.recognized = true;
  error.code = PrintableLine(error.code, 100);  // Azurite may send a code of blanks
  error.message = PrintableLine(error.message, 1000);
  SplitIndex(error);
  return error;
}

Result<std::vector<std::string>> ReadTableNames(std::string body) {
  JsonTokens tokens;
  AZTABLES_RETURN_IF_ERROR(tokens.Read(std::move(body)));
  std::vector<std::string> names;
  const Status status = ReadValueArray(tokens, [&](size_t& token) {
    auto name = ReadTableName(tokens, token);
    if (name.ok()) names.push_back(std::move(*name));
    return name.status();
  });
  if (!status.ok()) return status;
  return names;
}

Result<std::vector<Property>> ReadEntityText(std::string_view text, EntityReader* reader) {
  auto properties = reader != nullptr ? reader->All(text) : EntityReader().All(text);
  if (!properties.ok()) return properties;
  for (const Property& property : *properties) {
    if (property.name == "PartitionKey" || property.name == "RowKey" ||
        property.name == "Timestamp") {
      return EntityTextError(property.name + " is a column of its own");
    }
    if (property.value.type == EdmType::kDateTime &&
        *ParseDateTime(property.value.text) < kMinServiceTicks) {
      return EntityTextError("property " + ShowProperty(property.name) + ": " +
                             QuoteArgument(property.value.text) +
                             " is before 1601-01-01, the first date that the service stores");
    }
  }
  return properties;
}

}  // namespace aztables
