// Signer: what authenticates a request. auth implements it, the pipeline calls it at every attempt.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string_view>

#include "base/status.h"
#include "http/message.h"

namespace aztables {

class Signer {
 public:
  virtual ~Signer() = default;
  // Puts a header into the request, or fills Request::credential_query.
  virtual Status Sign(Request& request) const = 0;
  // What it has signed the last requests with, for Conceal (base/conceal.h): must not be seen.
  virtual std::string_view Signatures() const { return {}; }
};

}  // namespace aztables
