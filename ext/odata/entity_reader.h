// EntityReader: the one reader of texts in `_entity`'s form, a JSON object of properties with the
// annotations of minimal metadata: {"Rating":4.5,"Seen@odata.type":"Edm.Int64","Seen":"5"}.
// Members named odata.* are metadata and skipped; null means not stored.
//
// Asked for one property it decodes that one alone and only walks over the others: a value of
// theirs that does not fit its type is no error then.
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

  // All properties in their order, those that are null included as kNull.
  Result<std::vector<Property>> All(std::string_view text);
  // The names of the properties that are not null, whatever their values are.
  Result<std::vector<std::string>> Names(std::string_view text);
  // The value of one property; kNull where it is absent.
  Result<Value> Get(std::string_view text, std::string_view name);
  // Its type, from its annotation or the form of its value; kNull where it is absent.
  Result<EdmType> TypeOf(std::string_view text, std::string_view name);

  // The text with `property` in it: in place of an earlier value, else at the end; kNull removes
  // it. All other members come through as they are written, without the blanks between them.
  // REQUIRES: CheckUserProperty(property) is OK
  Result<std::string> Set(std::string_view text, const Property& property);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// The sentence for a text that is not in this form.
Status EntityTextError(std::string_view what);

}  // namespace aztables
