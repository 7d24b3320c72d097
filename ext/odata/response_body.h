// Readers of the small responses: errors in JSON and in XML, lists of tables, and the JSON of
// `_entity`.
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/edm.h"
#include "odata/entity_reader.h"

namespace aztables {

// The content of an error body. If the body is neither JSON nor XML of the service's shape, it is
// not recognized, and nothing of it is shown: it may be the page of a proxy.
struct ErrorBody {
  bool recognized = false;
  std::string code;
  std::string message;        // its first line, without the number of the operation
  int operation_index = -1;   // the number before the first ":" in an EGT's error; -1: none
  bool lacks_memory = false;  // it could not be read
};
ErrorBody ReadErrorBody(std::string_view body);

// The response of Query Tables.
Result<std::vector<std::string>> ReadTableNames(std::string body);

// The user properties in a text of `_entity`'s form. Members named odata.* are skipped; null means
// not stored. A key, a nested value or a value that does not fit its annotation is an error
// (kMismatch) that names the property. `reader` may be reused for several texts.
Result<std::vector<Property>> ReadEntityText(std::string_view text, EntityReader* reader = nullptr);

}  // namespace aztables
