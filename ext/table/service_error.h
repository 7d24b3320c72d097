// Failures of the service: converts a response, or a missing response, to a Status.
//
// Thread rule: free functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "http/message.h"
#include "table/service_client.h"

namespace aztables {

// `failure`, with what the service was asked for: "reading", the table and the connection.
Failure AskedOf(const ServiceEndpoint& endpoint, std::string_view what, std::string_view table,
                Failure failure = {});

// The Status for a response that is not a success. `entity` names the entity if the request had
// one.
Status ResponseError(const ServiceEndpoint& endpoint, std::string_view what, std::string_view table,
                     std::string_view entity, const Response& response, const Exchange& exchange);

// The Status for a request without a response, and for a response that could not be read.
Status TransportError(const ServiceEndpoint& endpoint, std::string_view what,
                      std::string_view table, const Status& error, const Exchange& exchange);
Status ShapeError(const ServiceEndpoint& endpoint, std::string_view what, std::string_view table,
                  const Status& error, const Response& response);
// The same for a response that was cut off, or is not a table service's, so that the request may be
// sent again (Pipeline::TryAgain).
Status UnreadableError(const ServiceEndpoint& endpoint, std::string_view what,
                       std::string_view table, const Status& error, const Response& response,
                       const Exchange& exchange);

}  // namespace aztables
