// The scalar members of a JSON object that is not an entity: the response of a sign-in, the claims
// of a token.
//
// Errors: kError if the text is not a JSON object, kNoMemory.
// Thread rule: values.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace aztables {

class JsonObject {
 public:
  // Members whose values are arrays, objects or null are left out.
  static Result<JsonObject> Read(std::string_view text);

  // The text of a string, number or boolean; empty if there is none.
  std::string_view Get(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> members_;
};

}  // namespace aztables
