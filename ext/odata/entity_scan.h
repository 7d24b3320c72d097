// EntityScan: walks over the entities of a query's answer and shows each with its keys and all its
// properties, whatever they are. For finding out what a table has; EntityPage is for reading what
// is known. Source: Microsoft, "Payload format for Table service operations".
//
// Ownership: what the visitor sees dies when it returns.
// Errors: a body that is not JSON, or not of the service's shape, or has an entity without keys, is
// an error; entities before it may have been shown.
// Thread rule: one thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/edm.h"

namespace aztables {

// A property that the entity has. Of type kNull where the value does not fit its annotation, or the
// service documents no such type: `value.text` is the text as it came then.
struct ScannedProperty {
  std::string_view name;
  Value value;
};

struct ScannedEntity {
  std::string_view partition_key;
  std::string_view row_key;
  std::vector<ScannedProperty> properties;  // user properties in the order in which they came
};

class EntityScan {
 public:
  using Visitor = std::function<void(const ScannedEntity&)>;

  EntityScan();
  ~EntityScan();
  EntityScan(const EntityScan&) = delete;
  EntityScan& operator=(const EntityScan&) = delete;

  // Shows the entities of {"value":[{...},...]} in their order; returns how many there were.
  Result<size_t> ReadQuery(std::string body, const Visitor& visitor);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aztables
