// EntityInput: the body of a write, read and checked against every rule and limit of the service.
// Source: Microsoft, "Understanding the Table service data model", "Table service error codes".
//
// Errors: storage errors.
// Thread rule: one thread at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "odata/entity_reader.h"
#include "service/store/record.h"

namespace aztables {

struct EntityInput {
  std::optional<std::string> partition_key;
  std::optional<std::string> row_key;
  std::vector<Property> properties;  // in their order, without those that are null
};

// `reader` is used again and again. Timestamp, odata.* and null are dropped.
Result<EntityInput> ReadEntityInput(std::string_view body, EntityReader& reader);

// The storage error for a body that the reader refused with `error`.
Status RefuseBody(const Status& error);

// OK if `key` may be one.
Status CheckStoredKey(std::string_view key);
// OK if a table may have this name: a letter, then letters and digits, 3 to 63 in all; not
// "tables".
Status CheckNewTableName(std::string_view name);
// OK if the entity is within the limits for all of it: number of properties, size.
Status CheckWhole(std::string_view partition_key, std::string_view row_key,
                  const std::vector<PropertyView>& properties);

}  // namespace aztables
