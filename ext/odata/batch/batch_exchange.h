// The other direction of entity group transactions, the service's: reading the multipart body of a
// request and writing that of the answer. batch.h is the client's.
// Source: Microsoft, "Performing entity group transactions"; recorded traffic for the forms that
// the live service takes (bare LF, relative URLs, no last line end, a blank line before a boundary)
// and for the bytes that it sends.
//
// Errors: detail().code and message as the service says it (400 InvalidInput); message() says more
// precisely what cannot be read.
// Thread rule: values and free functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace aztables {

using BatchHeaders = std::vector<std::pair<std::string, std::string>>;

// One request inside of a batch.
struct BatchRequest {
  std::string method;
  std::string url;  // absolute or relative, as it came; may have blanks, that SDKs leave in keys
  BatchHeaders headers;  // of the inner head; not those of the MIME part around it
  std::string body;
};

struct BatchContent {
  bool changeset = false;              // else one GET that stands alone
  std::vector<BatchRequest> requests;  // may be empty in a changeset
};
// `content_type` is the header's value of the request. Refused is all that is not exactly one
// changeset without a GET, or one GET alone: a second one, text outside of parts, a head or a
// request line that is none. How many requests there may be, the caller has to say.
Result<BatchContent> DecodeBatchRequest(std::string_view content_type, std::string_view body);

// One answer inside of the answer to a batch.
struct BatchAnswer {
  int status = 0;
  BatchHeaders headers;  // in the order in which they are written
  std::string body;      // may be empty
};
struct EncodedBatchAnswer {
  std::string content_type;
  std::string body;
};
// `batch_id` and `changeset_id` are fresh GUIDs; an empty `changeset_id` means: no changeset, the
// answers stand directly in the batch.
EncodedBatchAnswer EncodeBatchAnswer(const std::vector<BatchAnswer>& answers,
                                     std::string_view batch_id, std::string_view changeset_id);

}  // namespace aztables
