// Responses of the service: see response.h.
#include "service/response.h"

#include "model/datetime.h"
#include "odata/json_writer.h"
#include "service/storage_error.h"
#include "service/xml/xml_tree.h"

namespace aztables {
namespace {

// Converts a failure of another kind to a storage error.
Status AsStorageError(const Status& error) {
  if (error.failure().http_status != 0) return error;
  const std::string message(error.message());
  switch (error.code()) {
    case Code::kNoMemory:
    case Code::kBusy:
    case Code::kInterrupt:
    case Code::kBudget:
      return ToStatus(errors::kServerBusy, "The server is busy: " + message + ".");
    default:
      return ToStatus(errors::kInternalError,
                      "The server encountered an internal error: " + message + ".");
  }
}

// Whether the front end, which runs before the table service, sends this error.
bool OfFrontEnd(const Status& error) {
  const std::string& code = error.failure().code;
  return code == errors::kAuthenticationFailed.code ||
         code == errors::kInvalidAuthenticationInfo.code;
}

// Unlike Timestamps, this time keeps trailing zeros.
std::string MessageText(const ResponseFrame& frame, const Status& error, int index) {
  std::string text = index >= 0 ? std::to_string(index) + ":" : "";
  text += error.failure().message;
  text += "\nRequestId:" + frame.request_id;
  text += "\nTime:" + FormatDateTime(UnixTime(frame.now_ms));
  return text;
}

Response ErrorXml(const ResponseFrame& frame, const Status& error) {
  Response response;
  response.status = error.failure().http_status;
  response.headers.Add("Content-Type", "application/xml");
  if (!OfFrontEnd(error)) {  // as recorded, without other headers
    response.headers.Add("x-ms-version", frame.version);
    response.headers.Add("x-ms-request-id", frame.request_id);
  }
  response.headers.Add("x-ms-error-code", error.failure().code);
  response.body =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?><m:error "
      "xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\"><m:code>" +
      error.failure().code + "</m:code><m:message xml:lang=\"en-US\">";
  AppendXmlText(response.body, MessageText(frame, error, -1));
  response.body += "</m:message></m:error>";
  return response;
}

}  // namespace

std::string JsonContentType(Metadata metadata) {
  switch (metadata) {
    case Metadata::kNone:
      return "application/json;odata=nometadata;streaming=true;charset=utf-8";
    case Metadata::kFull:
      return "application/json;odata=fullmetadata;streaming=true;charset=utf-8";
    default:
      return "application/json;odata=minimalmetadata;streaming=true;charset=utf-8";
  }
}

Response MakeResponse(const ResponseFrame& frame, int status) {
  Response response;
  response.status = status;
  constexpr size_t kMostHeaders = 8;  // of most responses
  Headers& headers = response.headers;
  headers.all().reserve(kMostHeaders);
  headers.Add("Cache-Control", "no-cache");
  headers.Add("X-Content-Type-Options", "nosniff");
  headers.Add("x-ms-request-id", frame.request_id);
  headers.Add("x-ms-version", frame.version);
  if (!frame.client_request_id.empty()) {
    headers.Add("x-ms-client-request-id", frame.client_request_id);
  }
  if (!frame.preference.empty()) headers.Add("Preference-Applied", frame.preference);
  return response;
}

Response JsonResponse(const ResponseFrame& frame, int status, std::string body) {
  Response response = MakeResponse(frame, status);
  response.headers.Add("Content-Type", JsonContentType(frame.metadata));
  response.body = std::move(body);
  return response;
}

Response XmlResponse(const ResponseFrame& frame, int status, std::string body) {
  Response response;
  response.status = status;
  if (!body.empty()) response.headers.Add("Content-Type", "application/xml");
  response.headers.Add("x-ms-request-id", frame.request_id);
  response.headers.Add("x-ms-version", frame.version);
  response.body = std::move(body);
  return response;
}

Response ErrorResponse(const ResponseFrame& frame, const Status& error) {
  const Status storage_error = AsStorageError(error);
  if (frame.xml || OfFrontEnd(storage_error)) return ErrorXml(frame, storage_error);
  Response response =
      JsonResponse(frame, storage_error.failure().http_status, ErrorJson(frame, storage_error, -1));
  if (LacksCacheControl(storage_error)) {
    std::erase_if(response.headers.all(),
                  [](const Headers::Header& header) { return header.name == "Cache-Control"; });
  }
  return response;
}

int ErrorStatus(const Status& error) { return AsStorageError(error).failure().http_status; }

std::string ErrorJson(const ResponseFrame& frame, const Status& error, int index) {
  const Status storage_error = AsStorageError(error);
  std::string body = "{\"odata.error\":{\"code\":";
  AppendAsciiJsonString(body, storage_error.failure().code);
  body += ",\"message\":{\"lang\":\"en-US\",\"value\":";
  AppendAsciiJsonString(body, MessageText(frame, storage_error, index));
  body += "}}}";
  return body;
}

bool LacksCacheControl(const Status& error) {
  return error.failure().code == errors::kTableNotFound.code || error.failure().bad_syntax;
}

}  // namespace aztables
