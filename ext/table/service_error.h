// Sentences for what the service refused: from an answer, or from none, to a Status.
//
// Thread rule: free functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "http/message.h"
#include "table/service_client.h"

namespace aztables {

// "reading table Movies (connection 'prod')": how every message begins.
std::string AskedOf(const ServiceEndpoint& endpoint, std::string_view what, std::string_view table);

// The Status for an answer that is no success. `entity` names the entity if the request was about
// one.
Status AnswerError(const ServiceEndpoint& endpoint, std::string_view what, std::string_view table,
                   std::string_view entity, int http_status, std::string_view request_id,
                   std::string_view header_code, std::string_view body, int attempts);
Status AnswerError(const ServiceEndpoint& endpoint, std::string_view what, std::string_view table,
                   std::string_view entity, const Response& response, int attempts);

// The same for a transport that brought no answer, and for an answer that could not be read.
Status TransportError(const ServiceEndpoint& endpoint, std::string_view what,
                      std::string_view table, const Status& error, const Exchange& exchange);
Status ShapeError(const ServiceEndpoint& endpoint, std::string_view what, std::string_view table,
                  const Status& error, const Response& response);

}  // namespace aztables
