// The EDM types of the Table service and the cells in which a page of entities is held.
// Source: Microsoft, "Understanding the Table service data model".
//
// Thread rule: values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aztables {

enum class EdmType : uint8_t {
  kNull,  // absent: the service stores no null
  kString,
  kInt32,
  kInt64,
  kDouble,
  kBoolean,
  kDateTime,
  kGuid,
  kBinary,
  kLast = kBinary,
};

// "Edm.Int64" and the like; "null" for kNull.
std::string_view EdmName(EdmType type);
// The type that "Edm.Int64" names; nothing for a name that the service does not have.
std::optional<EdmType> EdmFromName(std::string_view name);

// One value of one entity, 16 bytes, without ownership. `text` lives as long as the page of the
// cell.
//   kString, kGuid, kDateTime   text[0, size): UTF-8; a GUID in lower case; a date with 7 digits
//   kBinary                     text[0, size): the bytes
//   kInt32, kInt64, kBoolean    integer
//   kDouble                     real
struct Cell {
  union {
    const char* text;
    int64_t integer;
    double real;
  };
  uint32_t size = 0;
  EdmType type = EdmType::kNull;
  // The text that the service sent is not a valid `type`: an emulator may store such values. Also
  // true if its type is undocumented; `type` is kNull then. text[0, size) holds the text unchanged.
  bool malformed = false;

  Cell() : integer(0) {}
  std::string_view view() const { return {text, size}; }
  bool HasText() const {
    return malformed || type == EdmType::kString || type == EdmType::kGuid ||
           type == EdmType::kDateTime || type == EdmType::kBinary;
  }
};
static_assert(sizeof(Cell) == 16);

// Makes it a cell of a type that has text.
inline void SetCellText(Cell& cell, EdmType type, std::string_view text) {
  cell.type = type;
  cell.text = text.data() ? text.data() : "";
  cell.size = static_cast<uint32_t>(text.size());
}

// One value with ownership, to be written. It uses the same members as Cell.
struct Value {
  EdmType type = EdmType::kNull;
  std::string text;
  int64_t integer = 0;
  double real = 0;

  static Value String(std::string_view text) { return OfText(EdmType::kString, text); }
  static Value Int32(int32_t value) { return {.type = EdmType::kInt32, .integer = value}; }
  static Value Int64(int64_t value) { return {.type = EdmType::kInt64, .integer = value}; }
  static Value Double(double value) { return {.type = EdmType::kDouble, .real = value}; }
  static Value Boolean(bool value) { return {.type = EdmType::kBoolean, .integer = value}; }
  // REQUIRES: the 7-digit form
  static Value DateTime(std::string_view text) { return OfText(EdmType::kDateTime, text); }
  // REQUIRES: lower case, with dashes
  static Value Guid(std::string_view text) { return OfText(EdmType::kGuid, text); }
  static Value Binary(std::string_view bytes) { return OfText(EdmType::kBinary, bytes); }
  static Value OfText(EdmType type, std::string_view text) { return {type, std::string(text)}; }

  bool operator==(const Value& other) const = default;
};

// A property to write. kNull: it is not stored.
struct Property {
  std::string name;
  Value value;

  bool operator==(const Property& other) const = default;
};

// Replaces the property of the same name, or appends `property`.
void SetProperty(std::vector<Property>& properties, Property property);

// An entity to write. The service sets Timestamp and ETag.
struct Entity {
  std::string partition_key;
  std::string row_key;
  std::vector<Property> properties;
};

// A value from SQLite, without ownership and without SQLite's types.
struct SqlValue {
  enum class Type : uint8_t { kNull, kInteger, kReal, kText, kBlob };
  Type type = Type::kNull;
  int64_t integer = 0;
  double real = 0;
  std::string_view text;   // of kText and kBlob
  bool as_text = false;    // of kText: it has no numeric affinity
  bool as_number = false;  // of kInteger and kReal: no text equals it

  static SqlValue Null() { return {}; }
  static SqlValue Integer(int64_t value) { return {.type = Type::kInteger, .integer = value}; }
  static SqlValue Real(double value) { return {.type = Type::kReal, .real = value}; }
  static SqlValue Text(std::string_view value) { return {.type = Type::kText, .text = value}; }
  static SqlValue Blob(std::string_view value) { return {.type = Type::kBlob, .text = value}; }
};

}  // namespace aztables
