// Credential: authenticates the requests of a connection. auth implements it, the pipeline calls it
// at every attempt.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/status.h"
#include "http/message.h"

namespace aztables {

class Credential {
 public:
  virtual ~Credential() = default;
  // Whether Sign() has what it needs.
  virtual bool IsReady() const { return true; }
  // Gets what Sign() needs, such as a token. Runs on the thread that waits for a response, never
  // within a call of the transport. `cancel` also drives the other requests of that wait, so wait
  // in slices (Cancel::kSlice). An error of `cancel` is returned as it is.
  virtual Status MakeReady(const Cancel& cancel) { return cancel.Check(); }
  // Adds a header to the request, or fills Request::credential_query. REQUIRES: IsReady()
  virtual Status Sign(Request& request) = 0;
  // The response to a signed request is 401. Whether to sign the request again and send it once
  // more, which is not a retry.
  virtual bool OnUnauthorized(const Response& /*response*/) { return false; }
  // The identity whose token the requests carry, for messages: "client 1111-...". Empty: they
  // carry none.
  virtual std::string Identity() const { return {}; }
  // The signatures of the last requests, for Conceal (base/conceal.h). They must not be shown.
  virtual std::string_view Signatures() const { return {}; }
};

}  // namespace aztables
