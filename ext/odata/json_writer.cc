// JSON writer: see include/aztables/odata/json_writer.h.
#include "aztables/odata/json_writer.h"

#include <cmath>

#include "aztables/base/encoding.h"
#include "aztables/model/convert.h"

namespace aztables {
namespace {

// Whether the type has to be annotated on write. Doubles always: a whole one would else be an
// Int32.
bool NeedsAnnotation(EdmType type) {
  switch (type) {
    case EdmType::kInt64:
    case EdmType::kDouble:
    case EdmType::kDateTime:
    case EdmType::kGuid:
    case EdmType::kBinary:
      return true;
    default:
      return false;
  }
}

void AppendJsonValue(std::string& out, const Value& value) {
  switch (value.type) {
    case EdmType::kInt32:
      out += std::to_string(value.integer);
      return;
    case EdmType::kInt64:
      out += '"' + std::to_string(value.integer) + '"';
      return;
    case EdmType::kBoolean:
      out += value.integer != 0 ? "true" : "false";
      return;
    case EdmType::kDouble: {
      const std::string text = FormatDouble(value.real);
      const bool finite = text.back() != 'N' && text.back() != 'y';
      out += finite ? text : '"' + text + '"';
      return;
    }
    case EdmType::kBinary:
      out += '"' + Base64Encode(value.text) + '"';
      return;
    default:
      AppendJsonString(out, value.text);
      return;
  }
}

// "name": with its annotation in front where it needs one.
void AppendName(std::string& out, std::string_view name, EdmType type, bool annotated) {
  if (annotated) {
    AppendJsonString(out, std::string(name) + "@odata.type");
    out += ":\"";
    out += EdmName(type);
    out += "\",";
  }
  AppendJsonString(out, name);
  out += ':';
}

}  // namespace

void AppendJsonString(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  size_t clean = 0;  // start of what is not yet appended and needs no escape
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text.substr(clean, i - clean));
    clean = i + 1;
    out += '\\';
    switch (c) {
      case '"':
      case '\\':
        out += static_cast<char>(c);
        break;
      case '\n':
        out += 'n';
        break;
      case '\r':
        out += 'r';
        break;
      case '\t':
        out += 't';
        break;
      default:
        out += "u00";
        out += kHex[c >> 4];
        out += kHex[c & 15];
    }
  }
  out.append(text.substr(clean));
  out += '"';
}

void AppendJsonProperty(std::string& out, std::string_view separator, std::string_view name,
                        const Value& value) {
  if (value.type == EdmType::kNull) return;
  out += separator;
  AppendName(out, name, value.type, NeedsAnnotation(value.type));
  AppendJsonValue(out, value);
}

void AppendStoredProperty(std::string& out, std::string_view separator, std::string_view name,
                          const Value& value) {
  if (value.type == EdmType::kNull) return;
  out += separator;
  const bool finite = value.type == EdmType::kDouble && std::isfinite(value.real);
  AppendName(out, name, value.type, NeedsAnnotation(value.type) && !finite);
  if (value.type != EdmType::kDateTime) {
    AppendJsonValue(out, value);
    return;
  }
  std::string_view text(value.text);
  text.remove_suffix(1);  // the Z
  while (text.ends_with('0') && text.find('.') != std::string_view::npos) text.remove_suffix(1);
  if (text.ends_with('.')) text.remove_suffix(1);
  out += '"';
  out += text;
  out += "Z\"";
}

void AppendEntityJson(std::string& out, const Entity& entity) {
  out += "{\"PartitionKey\":";
  AppendJsonString(out, entity.partition_key);
  out += ",\"RowKey\":";
  AppendJsonString(out, entity.row_key);
  for (const Property& property : entity.properties) {
    AppendJsonProperty(out, ",", property.name, property.value);
  }
  out += '}';
}

}  // namespace aztables
