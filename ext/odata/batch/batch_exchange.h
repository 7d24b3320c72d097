// The service's side of entity group transactions (EGTs): reads the multipart body of a request and
// writes the body of the response. batch.h is the client's side.
// Source: Microsoft, "Performing entity group transactions". Recorded traffic shows the bytes that
// the live service sends, and the forms that it accepts. It accepts bare LF, relative URLs, no last
// line end, and a blank line before a boundary.
//
// Errors: failure().code and message are the service's (400 InvalidInput); message() gives the
// precise reason.
// Thread rule: values and free functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace aztables {

// One request inside of a batch: views into the body of the batch.
struct BatchRequest {
  std::string_view method;
  std::string_view url;  // absolute or relative, as received; may have blanks (SDKs, in keys)
  // Those of the request itself; not those of the MIME part around it.
  std::vector<std::pair<std::string_view, std::string_view>> headers;
  std::string_view body;
};

struct BatchContent {
  bool changeset = false;              // else one single GET
  std::vector<BatchRequest> requests;  // may be empty in a changeset
};
// `content_type` is the header's value of the request. `body` outlives the result. It must be
// exactly one changeset without a GET, or one GET alone. Anything else is an error: a second one,
// text outside of parts, an invalid head or request line. The caller must check the number of
// requests.
Result<BatchContent> DecodeBatchRequest(std::string_view content_type, std::string_view body);

// One response inside of the response to a batch.
struct OperationResponse {
  int status = 0;
  // In the order of writing. The names are literals.
  std::vector<std::pair<std::string_view, std::string>> headers;
  std::string body;  // may be empty
};
struct EncodedBatchResponse {
  std::string content_type;
  std::string body;
};
// `batch_id` and `changeset_id` are fresh GUIDs. If `changeset_id` is empty, there is no changeset:
// the responses are directly in the batch.
EncodedBatchResponse EncodeBatchResponse(const std::vector<OperationResponse>& responses,
                                         std::string_view batch_id, std::string_view changeset_id);

}  // namespace aztables
