// Signer: authenticates a request. auth implements it, the pipeline calls it at every attempt.
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
  // Adds a header to the request, or fills Request::credential_query.
  virtual Status Sign(Request& request) const = 0;
  // The signatures of the last requests, for Conceal (base/conceal.h). They must not be shown.
  virtual std::string_view Signatures() const { return {}; }
};

}  // namespace aztables
