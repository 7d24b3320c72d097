// Only this file includes simdjson.h, which takes seconds to compile. See json_text.h.
#include "json_text.h"

#include <simdjson.h>

#include "base/encoding.h"

namespace aztables {

std::string JsonAt(const std::string& json, std::string_view pointer) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(json);
  simdjson::ondemand::document document;
  simdjson::ondemand::value value;
  std::string_view text;
  if (parser.iterate(padded).get(document) || document.at_pointer(pointer).get(value)) {
    return std::string(kAbsent);
  }
  simdjson::ondemand::json_type type{};
  if (value.type().get(type)) return std::string(kAbsent);
  if (type == simdjson::ondemand::json_type::object) {
    simdjson::ondemand::object object;
    if (value.get_object().get(object) || object.raw_json().get(text)) return std::string(kAbsent);
  } else if (type == simdjson::ondemand::json_type::array) {
    simdjson::ondemand::array array;
    if (value.get_array().get(array) || array.raw_json().get(text)) return std::string(kAbsent);
  } else {
    text = value.raw_json_token();
  }
  return std::string(TrimBlanks(text));
}

std::string JsonNames(const std::string& json) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(json);
  simdjson::ondemand::document document;
  simdjson::ondemand::object object;
  if (parser.iterate(padded).get(document) || document.get_object().get(object)) {
    return std::string(kAbsent);
  }
  std::string names;
  for (auto member : object) {
    simdjson::ondemand::field field;
    std::string_view name;
    if (std::move(member).get(field) || field.unescaped_key().get(name)) break;
    if (!names.empty()) names += ' ';
    names += name;
  }
  return names;
}

std::string JsonStringAt(const std::string& json, std::string_view pointer) {
  const std::string text = JsonAt(json, pointer);
  return text.size() < 2 || text.front() != '"' ? "" : text.substr(1, text.size() - 2);
}

}  // namespace aztables
