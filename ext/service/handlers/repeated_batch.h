// Repeated entity group transactions (EGTs): the response to a $batch that was carried out before,
// and the memory that makes it possible (RememberedWrites).
//
// Errors: storage errors.
// Thread rule: that of the connection.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "service/service_call.h"

namespace aztables {

// Whether the id of the request names one EGT, so that its outcome is remembered.
bool IsRemembered(const ServiceCall& call);
// Distinguishes the EGT from others with its id: a hash of its address and its body.
Result<std::string> FingerprintOf(const Request& request);
// The response, if the EGT arrived before. REQUIRES: IsRemembered(call)
Result<std::optional<Response>> RecallBatch(const ServiceCall& call, std::string_view fingerprint,
                                            StoreTransaction& store);
// Remembers the response of an EGT that was carried out or refused. REQUIRES: IsRemembered(call)
Status RememberBatch(const ServiceCall& call, std::string_view fingerprint, StoreTransaction& store,
                     bool applied, const Response& response);
// Adds to the response for how many seconds writes are remembered. A client then knows that a
// refusal is not due to an earlier attempt. REQUIRES: IsRemembered(call)
Status AddReach(const ServiceCall& call, StoreTransaction& store, Response& response);

}  // namespace aztables
