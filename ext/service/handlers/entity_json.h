// EntityJson: entities in response bodies, at the three levels of metadata.
// Source: Microsoft, "Payload format for Table service operations". Recorded traffic: numbers,
// dates, and the order of members (odata.*, keys, Timestamp, properties as stored).
//
// Thread rule: one thread at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/datetime.h"
#include "service/store/record.h"

namespace aztables {

enum class Metadata : uint8_t { kNone, kMinimal, kFull };

// An entity from the store; keys in UTF-8.
struct StoredEntity {
  std::string partition_key;
  std::string row_key;
  Ticks timestamp = 0;
  std::vector<PropertyView> properties;

  // The property of that name, also a key or Timestamp; kNull if it is absent.
  PropertyView Find(std::string_view name) const;
};
// Whether every entity has the property: a key or Timestamp.
bool IsBuiltIn(std::string_view name);

// The parts that all entities of a response share.
struct EntityForm {
  Metadata metadata = Metadata::kMinimal;
  std::string base_url;  // "https://account.table.core.windows.net": absolute, without last "/"
  std::string account;
  std::string table;  // as in the request
  // $select; nothing: all properties. Selected properties that an entity lacks are null.
  std::optional<std::vector<std::string>> select;
};

// Appends {...}. With `context` odata.metadata is first, as in point reads and echoes of inserts.
void AppendEntity(std::string& out, const EntityForm& form, const StoredEntity& entity,
                  bool context);
// The value of odata.metadata of a query, or of one entity if `element` is set.
std::string MetadataUrl(const EntityForm& form, bool element);

// W/"datetime'2017-11-10T02%3A44%3A46.1416145Z'"
std::string EtagOf(Ticks timestamp);
// The instant in the service's form, without trailing zeros in its fraction.
std::string InstantText(Ticks ticks);
// 3.0, 1.1, 1.23456789012346E+24, 1E-05, NaN, Infinity, -Infinity
std::string DoubleText(double value);

}  // namespace aztables
