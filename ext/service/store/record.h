// Record: the typed properties of one entity as stored, in order. Numbers, dates and GUIDs are
// binary, so filters compare them without parsing.
//
//   record   = { type name-size name value }     sizes are varints (7 bits a byte, low first)
//   value    = String, Binary: size bytes | Int32: 4 | Int64, Double, DateTime (ticks): 8 |
//              Boolean: 1 | Guid: 16 in the order of its text; little-endian where it matters
//
// Ownership: a view points into the record that was read.
// Thread rule: values and free functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/edm.h"

namespace aztables {

struct PropertyView {
  std::string_view name;
  EdmType type = EdmType::kNull;
  std::string_view bytes;  // kString, kBinary and kGuid
  int64_t integer = 0;     // kInt32, kInt64 and kBoolean; kDateTime: ticks
  double real = 0;         // kDouble
};

// Appends one property. kNull appends nothing.
void AppendRecord(std::string& record, std::string_view name, const Value& value);
void AppendRecord(std::string& record, const PropertyView& property);

// Reads all properties of `record` into `properties`. Fails if the record is damaged.
Status ReadRecord(std::string_view record, std::vector<PropertyView>& properties);

// Writes 8-4-4-4-12 in lower case, 36 characters, and returns their end. REQUIRES: 16 bytes
char* WriteGuid(std::string_view bytes, char* out);
// REQUIRES: 8-4-4-4-12
std::string GuidBytes(std::string_view text);

// The size of the entity in bytes as the service counts it (model/limits.h).
size_t EntitySize(std::string_view partition_key, std::string_view row_key,
                  const std::vector<PropertyView>& properties);

}  // namespace aztables
