// What all responses of the service have in common: headers, and errors as JSON (the table service)
// or XML (its front end, and operations with XML bodies).
// Source: recorded traffic; Microsoft, "Status and error codes".
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "http/message.h"
#include "service/handlers/entity_json.h"

namespace aztables {

// What the responses to one request have in common.
struct ResponseFrame {
  std::string request_id;         // a fresh GUID
  std::string version;            // x-ms-version that is echoed
  std::string client_request_id;  // echoed; empty: none was sent
  int64_t now_ms = 0;
  Metadata metadata = Metadata::kMinimal;
  bool xml = false;        // errors are XML
  std::string preference;  // "return-no-content": Preference-Applied; empty: none
};

// application/json;odata=minimalmetadata;streaming=true;charset=utf-8
std::string JsonContentType(Metadata metadata);

// A response without body, with the headers of every response of the table service.
Response MakeResponse(const ResponseFrame& frame, int status);
Response JsonResponse(const ResponseFrame& frame, int status, std::string body);
Response XmlResponse(const ResponseFrame& frame, int status, std::string body);

// The response for `error`. A Status that is not a storage error is a failure of the server.
Response ErrorResponse(const ResponseFrame& frame, const Status& error);
// HTTP status of an error, and its JSON; `index` >= 0 is the operation of an EGT that failed.
int ErrorStatus(const Status& error);
std::string ErrorJson(const ResponseFrame& frame, const Status& error, int index);
// Whether responses with this error are sent without Cache-Control, as recorded.
bool LacksCacheControl(const Status& error);

}  // namespace aztables
