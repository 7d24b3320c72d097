// The entity that a reader must return for a JSON object. A second implementation of the rules: the
// type is from the annotation or from the form of the value, dates have seven digits, and Binary is
// decoded.
#pragma once

#include <gtest/gtest.h>
#include <simdjson.h>

#include <map>
#include <string>
#include <vector>

#include "base/encoding.h"
#include "model/convert.h"

namespace aztables::replay {

struct ExpectedEntity {
  std::map<std::string, std::string> shown;  // "Edm.Int64 5" by name; includes keys and Timestamp
  std::vector<std::string> stored;  // names of the user properties that are not null, in order
  std::string etag;
};

inline std::string PadDate(std::string text) {
  EXPECT_TRUE(text.ends_with('Z')) << text;
  text.pop_back();
  if (text.find('.') == std::string::npos) text += '.';
  while (text.size() < 27) text += '0';
  return text + 'Z';
}

inline std::string HexOfBase64(const std::string& text) {
  const std::string symbols = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bits;
  for (const char c : text.substr(0, text.find('='))) {
    for (int bit = 5; bit >= 0; --bit) bits += (symbols.find(c) >> bit & 1) != 0 ? '1' : '0';
  }
  std::string hex;
  for (size_t at = 0; at < bits.size() / 8 * 8; at += 4) {
    hex += "0123456789ABCDEF"[std::stoul(bits.substr(at, 4), nullptr, 2)];
  }
  return hex;
}

inline std::string ExpectedText(const std::string& type, const std::string& text) {
  if (type == "Edm.DateTime") return type + " " + PadDate(text);
  if (type == "Edm.Binary") return type + " " + HexOfBase64(text);
  if (type == "Edm.Guid") return type + " " + ToLowerAscii(text);
  return type + " " + text;  // Int64, String; Double: NaN and infinities are sent as text
}

inline std::string ExpectedValue(simdjson::dom::element value, const std::string& annotation) {
  std::string_view text;
  bool boolean = false;
  int64_t integer = 0;
  double real = 0;
  if (value.is_null()) return "null";
  if (!value.get_string().get(text)) {
    return ExpectedText(annotation.empty() ? "Edm.String" : annotation, std::string(text));
  }
  EXPECT_EQ(annotation, "") << "the service annotates only texts";
  if (!value.get_bool().get(boolean)) return boolean ? "Edm.Boolean 1" : "Edm.Boolean 0";
  if (!value.get_int64().get(integer)) {
    EXPECT_LE(std::abs(integer), 2147483647) << "the service annotates larger ones";
    return "Edm.Int32 " + std::to_string(integer);
  }
  EXPECT_EQ(value.get_double().get(real), simdjson::SUCCESS);
  return "Edm.Double " + FormatDouble(real);
}

inline ExpectedEntity ExpectEntity(simdjson::dom::object object) {
  constexpr std::string_view kSuffix = "@odata.type";
  std::map<std::string, std::string> annotations;
  ExpectedEntity expected;
  for (const auto& [key, value] : object) {
    const std::string name(key);
    std::string_view text;
    if (name.ends_with(kSuffix)) {
      EXPECT_EQ(value.get_string().get(text), simdjson::SUCCESS);
      annotations[name.substr(0, name.size() - kSuffix.size())] = text;
    } else if (name == "odata.etag") {
      EXPECT_EQ(value.get_string().get(text), simdjson::SUCCESS);
      expected.etag = text;
    }
  }
  for (const auto& [key, value] : object) {
    const std::string name(key);
    if (name.starts_with("odata.") || name.ends_with(kSuffix)) continue;
    const std::string annotation = name == "Timestamp" ? "Edm.DateTime" : annotations[name];
    expected.shown[name] = ExpectedValue(value, annotation);
    const bool user = name != "PartitionKey" && name != "RowKey" && name != "Timestamp";
    if (user && !value.is_null()) expected.stored.push_back(name);
  }
  return expected;
}

// The entities of a page (its "value"), or the single entity of the body.
inline std::vector<ExpectedEntity> ExpectEntities(const std::string& body, bool query) {
  simdjson::dom::parser parser;
  simdjson::dom::element json;
  EXPECT_EQ(parser.parse(body).get(json), simdjson::SUCCESS) << body;
  std::vector<ExpectedEntity> entities;
  if (!query) {
    entities.push_back(ExpectEntity(json));
    return entities;
  }
  simdjson::dom::array list;
  EXPECT_EQ(json["value"].get_array().get(list), simdjson::SUCCESS) << body;
  for (const simdjson::dom::element entity : list) entities.push_back(ExpectEntity(entity));
  return entities;
}

}  // namespace aztables::replay
