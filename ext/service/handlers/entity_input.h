// EntityInput: the body of a write, read and checked against all rules and limits of the service.
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
  std::string record;  // its other properties in order, without nulls: see store/record.h
};

// `reader` is reused. Timestamp, odata.* and null are dropped.
Result<EntityInput> ReadEntityInput(std::string_view body, EntityReader& reader);

// The storage error for the reader's `error`.
Status RefuseBody(const Status& error);

// OK if `key` is a valid key.
Status CheckStoredKey(std::string_view key);
// OK if a table may have this name: a letter, then letters and digits, 3 to 63 in all; not
// "tables".
Status CheckNewTableName(std::string_view name);
// OK if the entity is within the limits on the number of properties and on its size.
Status CheckWhole(std::string_view partition_key, std::string_view row_key,
                  const std::vector<PropertyView>& properties);

}  // namespace aztables
