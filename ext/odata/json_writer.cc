// JSON writer: see json_writer.h.
#include "odata/json_writer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/encoding.h"
#include "model/convert.h"

namespace aztables {
namespace {

// Whether a written value needs an annotation. Doubles always do: without it a whole number would
// be an Int32.
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

// "name": preceded by its annotation if it needs one.
void AppendName(std::string& out, std::string_view name, EdmType type, bool annotated) {
  if (annotated) {
    AppendJsonString(out, name);
    out.insert(out.size() - 1, "@odata.type");
    out += ":\"";
    out += EdmName(type);
    out += "\",";
  }
  AppendJsonString(out, name);
  out += ':';
}

// The size of a property without escapes, or a little more: the text of a transaction is kept.
size_t MostSize(const Property& property) {
  constexpr size_t kMarks = std::string_view(",\"\":\"\"").size();
  constexpr size_t kAnnotation = std::string_view("\"@odata.type\":\"\",").size();
  constexpr size_t kNumber = std::string_view("-1.2345678901234567e-123").size();
  const auto& [name, value] = property;
  size_t text = value.text.empty() ? kNumber : value.text.size();
  if (value.type == EdmType::kBinary) text = (text + 2) / 3 * 4;
  const size_t size = kMarks + name.size() + text;
  if (!NeedsAnnotation(value.type)) return size;
  return size + kAnnotation + name.size() + EdmName(value.type).size();
}

void AppendUnicodeEscape(std::string& out, char32_t unit) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[unit >> shift & 15];
}

void AppendEscape(std::string& out, char32_t c) {
  constexpr std::string_view kPlain = "\"\\\n\r\t";
  constexpr std::string_view kLetters = "\"\\nrt";
  if (const size_t at = c < 0x80 ? kPlain.find(static_cast<char>(c)) : std::string_view::npos;
      at != std::string_view::npos) {
    out += '\\';
    out += kLetters[at];
  } else if (c < 0x10000) {
    AppendUnicodeEscape(out, c);
  } else {
    AppendUnicodeEscape(out, 0xD800 + ((c - 0x10000) >> 10));
    AppendUnicodeEscape(out, 0xDC00 + (c & 0x3FF));
  }
}

// Which characters of a text need an escape.
enum class Escapes : uint8_t { kJson, kAscii };

// The first byte of surrogates, and of the code points U+D000 to U+D7FF.
constexpr unsigned char kSurrogateLead = 0xED;

// A lone surrogate has no form in JSON other than an escape.
bool NeedsEscape(std::string_view text, size_t at, Escapes escapes) {
  const auto c = static_cast<unsigned char>(text[at]);
  if (c < 0x20 || c == '"' || c == '\\' || (escapes == Escapes::kAscii && c >= 0x80)) return true;
  return c == kSurrogateLead && FindLoneSurrogate(text.substr(at, 3)) == 0;
}

// Compared at once. The bytes from 0x80 on are negative.
using Block = signed char __attribute__((vector_size(16)));

// Not zero where a byte of the block at `text` may need an escape. It may be so without need, but
// it is always so if there is one.
template <Escapes kEscapes>
Block Suspects(const char* text) {
  Block block;
  std::memcpy(&block, text, sizeof block);
  const Block marks = (block == '"') | (block == '\\');
  if constexpr (kEscapes == Escapes::kAscii) {
    return marks | (block < 0x20);
  } else {
    const Block controls = (block < 0x20) & (block >= 0);
    return marks | controls | (block == static_cast<signed char>(kSurrogateLead));
  }
}

bool Any(const Block& found) {
  uint64_t halves[2];
  std::memcpy(halves, &found, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

// The first place from `begin` on that needs an escape; text.size() if there is none.
template <Escapes kEscapes>
size_t FindEscape(std::string_view text, size_t begin) {
  constexpr size_t kBlock = sizeof(Block);
  size_t i = begin;
  while (i < text.size()) {
    const char* const at = text.data() + i;
    const size_t left = text.size() - i;
    if (left >= 4 * kBlock &&
        !Any(Suspects<kEscapes>(at) | Suspects<kEscapes>(at + kBlock) |
             Suspects<kEscapes>(at + 2 * kBlock) | Suspects<kEscapes>(at + 3 * kBlock))) {
      i += 4 * kBlock;
      continue;
    }
    char padded[kBlock];
    if (left < kBlock) {
      std::memset(padded, ' ', kBlock);
      std::memcpy(padded, at, left);
    }
    const size_t end = i + std::min(left, kBlock);
    if (!Any(Suspects<kEscapes>(left < kBlock ? padded : at))) {
      i = end;
      continue;
    }
    for (; i < end; ++i) {
      if (NeedsEscape(text, i, kEscapes)) return i;
    }
  }
  return i;
}

template <Escapes kEscapes>
void AppendEscaped(std::string& out, std::string_view text) {
  out += '"';
  for (size_t i = 0; i < text.size();) {
    const size_t end = FindEscape<kEscapes>(text, i);
    out.append(text.substr(i, end - i));
    i = end;
    if (i < text.size()) AppendEscape(out, NextCodePoint(text, i));
  }
  out += '"';
}

}  // namespace

void AppendJsonString(std::string& out, std::string_view text) {
  AppendEscaped<Escapes::kJson>(out, text);
}

void AppendAsciiJsonString(std::string& out, std::string_view text) {
  AppendEscaped<Escapes::kAscii>(out, text);
}

bool IsPlainAscii(std::string_view text) {
  return FindEscape<Escapes::kAscii>(text, 0) == text.size();
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

std::string_view BeginEntityJson(std::string& out, std::string_view partition_key,
                                 std::string_view row_key, std::string_view properties) {
  out += "{\"PartitionKey\":";
  AppendJsonString(out, partition_key);
  out += ",\"RowKey\":";
  AppendJsonString(out, row_key);
  if (properties.size() > 2) out += ',';  // more than {}
  return properties.substr(1);
}

void AppendEntityJson(std::string& out, std::string_view partition_key, std::string_view row_key,
                      std::string_view properties) {
  out += BeginEntityJson(out, partition_key, row_key, properties);
}

void AppendPropertiesJson(std::string& out, const std::vector<Property>& properties) {
  const size_t begin = out.size();
  size_t size = 1;
  for (const Property& property : properties) size += MostSize(property);
  out.reserve(begin + size);
  for (const Property& property : properties) {
    AppendJsonProperty(out, ",", property.name, property.value);
  }
  if (out.size() == begin) out += '{';
  out[begin] = '{';  // in place of the first separator
  out += '}';
}

}  // namespace aztables
