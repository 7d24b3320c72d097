// EntityReader: the one reader of texts in `_entity`'s form, a JSON object of properties with the
// annotations of minimal metadata: {"Rating":4.5,"Seen@odata.type":"Edm.Int64","Seen":"5"}. Members
// named odata.* are metadata and skipped; null means not stored.
//
// A request for one property decodes only that property and skips the others. If the value of
// another property does not fit its type, that is not an error then.
// Ownership: results are copies. One reader serves any number of texts and reuses its memory.
// Errors: kMismatch; the sentence names the property.
// Thread rule: one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/edm.h"

namespace aztables {

class EntityReader {
 public:
  EntityReader();
  ~EntityReader();
  EntityReader(const EntityReader&) = delete;
  EntityReader& operator=(const EntityReader&) = delete;

  // All properties in their order, null ones included as kNull.
  Result<std::vector<Property>> All(std::string_view text);
  // The names of the properties that are not null. Their values may be invalid.
  Result<std::vector<std::string>> Names(std::string_view text);
  // The value of one property; kNull if it is absent.
  Result<Value> Get(std::string_view text, std::string_view name);
  // The type of one property, from its annotation or the form of its value; kNull if it is absent.
  Result<EdmType> TypeOf(std::string_view text, std::string_view name);

  // The text with `property` set; kNull removes it. An earlier value is replaced in its place. A
  // new property precedes the first one with a greater name (CompareKeys). All other members stay
  // as written, without the blanks between them. REQUIRES: CheckUserProperty(property) is OK
  Result<std::string> Set(std::string_view text, const Property& property);
  // The text with the property `name` renamed: its value and its annotation as written, its place
  // as that of a new property in Set(). `text` if it has no such property; an error if it has a
  // property `new_name` too. REQUIRES: CheckUserProperty({new_name, null}) is OK
  Result<std::string> Rename(std::string_view text, std::string_view name,
                             std::string_view new_name);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// The error for a text that is not in this form.
Status EntityTextError(std::string_view what);

}  // namespace aztables
