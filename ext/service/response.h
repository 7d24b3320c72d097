// The common parts of responses: headers, and errors as JSON (table service) or XML (its front end
// and operations with XML bodies).
// Source: recorded traffic; Microsoft, "Status and error codes".
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <string>

#include "base/status.h"
#include "http/message.h"
#include "service/handlers/entity_json.h"

namespace aztables {

// The parts that all responses to one request share.
struct ResponseFrame {
  std::string request_id;         // a new GUID
  std::string version;            // the echoed x-ms-version
  std::string client_request_id;  // echoed; empty: absent
  int64_t now_ms = 0;
  Metadata metadata = Metadata::kMinimal;
  bool xml = false;        // errors are XML
  std::string preference;  // "return-no-content": Preference-Applied; empty: none
};

// application/json;odata=minimalmetadata;streaming=true;charset=utf-8
std::string JsonContentType(Metadata metadata);

// A response without body, with the headers of all responses of the table service.
Response MakeResponse(const ResponseFrame& frame, int status);
Response JsonResponse(const ResponseFrame& frame, int status, std::string body);
Response XmlResponse(const ResponseFrame& frame, int status, std::string body);

// The response for `error`. A Status that is not a storage error becomes an internal error.
Response ErrorResponse(const ResponseFrame& frame, const Status& error);
// The HTTP status and the JSON of an error; `index` >= 0 is the failed operation of an EGT.
int ErrorStatus(const Status& error);
std::string ErrorJson(const ResponseFrame& frame, const Status& error, int index);
// Whether responses with this error are sent without Cache-Control, as recorded.
bool LacksCacheControl(const Status& error);

}  // namespace aztables
