// The multipart bodies of entity group transactions (EGTs).
// Source: Microsoft, "Performing entity group transactions". Written: CRLF line ends, absolute
// URLs, one changeset. Read: CRLF or LF, a missing last boundary, bare JSON in place of multipart
// (Cosmos sends it).
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace aztables {

// One operation of a changeset. Its body consists of two parts, of which the second is not copied.
struct BatchOperation {
  std::string method;    // "POST", "PUT", "MERGE", "DELETE"
  std::string url;       // absolute, percent-encoded
  std::string if_match;  // empty: not sent
  std::string body;      // JSON on one line; empty: none
  std::string_view rest = {};
};

// The bytes of the operation in the body of a batch, and the bytes of the frame around all
// operations. A body has kBatchFrameSize + the sum of EncodedSize() bytes.
size_t EncodedSize(const BatchOperation& operation);
inline constexpr size_t kBatchFrameSize = 236;

struct EncodedBatch {
  std::string content_type;
  std::string body;
};
// `batch_id` and `changeset_id` are fresh GUIDs.
EncodedBatch EncodeBatch(const std::vector<BatchOperation>& operations, std::string_view batch_id,
                         std::string_view changeset_id);

// The service's response to one operation or, if the batch failed, to all of it.
struct BatchPart {
  int status = 0;
  std::string etag;  // of inserts, updates, merges and upserts
  std::string body;  // of an error: its JSON
};
// The parts of a batch response in the order of the operations. `content_type` is the header's
// value.
Result<std::vector<BatchPart>> DecodeBatch(std::string_view content_type, std::string_view body);

}  // namespace aztables
