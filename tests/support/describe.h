// Describe: formats values for the messages of tests.
//
// Thread rule: free functions; any thread.
#pragma once

#include <cstdio>
#include <string>

#include "base/encoding.h"
#include "model/edm.h"

namespace aztables::support {

inline std::string Describe(const std::string& text) {
  std::string shown = "'";
  for (const char c : text.substr(0, 60)) {
    const bool plain = c >= ' ' && c < 0x7F;
    shown += plain ? std::string(1, c) : "\\x";
    if (!plain) AppendHex(shown, std::string_view(&c, 1));
  }
  return shown + "'" + (text.size() > 60 ? "..." : "");
}

inline std::string Describe(double real) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", real);
  return text;
}

inline std::string Describe(const Value& value) {
  if (value.type == EdmType::kDouble) return Describe(value.real);
  const bool integer = value.type == EdmType::kInt32 || value.type == EdmType::kInt64 ||
                       value.type == EdmType::kBoolean;
  return integer ? std::to_string(value.integer) : Describe(value.text);
}

inline std::string Describe(const SqlValue& value) {
  const std::string of = value.as_text ? "?" : "";
  switch (value.type) {
    case SqlValue::Type::kInteger:
      return of + std::to_string(value.integer);
    case SqlValue::Type::kReal:
      return of + "real " + Describe(value.real);
    case SqlValue::Type::kText:
      return of + Describe(std::string(value.text));
    case SqlValue::Type::kBlob:
      return of + "x" + Describe(std::string(value.text));
    case SqlValue::Type::kNull:
      break;
  }
  return of + "NULL";
}

}  // namespace aztables::support
