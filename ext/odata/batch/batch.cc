// Batch bodies: see batch.h.
#include "odata/batch/batch.h"

#include <algorithm>

#include "base/encoding.h"
#include "model/convert.h"
#include "odata/batch/multipart.h"

namespace aztables {
namespace {

constexpr std::string_view kPartHead =
    "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n";
constexpr std::string_view kAccept = "Accept: application/json;odata=minimalmetadata\r\n";
constexpr int kMaxMultipartNesting = 4;

// Calls `add` with the texts of the operation's part, one after another.
template <typename Add>
void EncodeOperation(const BatchOperation& operation, Add add) {
  add(kPartHead);
  add(operation.method);
  add(" ");
  add(operation.url);
  add(" HTTP/1.1\r\n");
  if (!operation.body.empty()) add("Content-Type: application/json\r\n");
  add(kAccept);
  if (operation.method == "POST") add("Prefer: return-no-content\r\n");
  if (!operation.if_match.empty()) {
    add("If-Match: ");
    add(operation.if_match);
    add("\r\n");
  }
  add("DataServiceVersion: 3.0;\r\n\r\n");
  add(operation.body);
  add(operation.rest);
  add("\r\n");
}

Status MalformedResponse(std::string_view why) {
  return Status::Error("the response is not the batch response that a table service sends (" +
                       std::string(why) + ")");
}

// Removes header lines up to the blank line from `text`. Returns the value of `name`; empty if
// there is none.
std::string_view TakeHeaders(std::string_view& text, std::string_view name) {
  std::string_view found;
  std::string_view header;
  std::string_view value;
  for (;;) {
    const HeadLine line = TakeHeader(text, header, value);
    if (line == HeadLine::kEnd) return found;
    if (line == HeadLine::kHeader && EqualsIgnoreCase(header, name)) found = value;
  }
}

Status DecodeHttp(std::string_view part, std::vector<BatchPart>& parts) {
  BatchPart result;
  const std::string_view line = TakeLine(part);
  if (line.empty()) return MalformedResponse("a part has no status line");
  const size_t blank = std::min(line.find(' '), line.size() - 1);
  const int64_t status = ParseInteger(line.substr(blank + 1, 3)).value_or(0);
  if (!line.starts_with("HTTP/") || status < 100) {
    return MalformedResponse("a part has no status line");
  }
  result.status = static_cast<int>(status);
  result.etag = TakeHeaders(part, "ETag");
  result.body = TrimBlanks(part);
  parts.push_back(std::move(result));
  return {};
}

Status DecodeMultipart(std::string_view content_type, std::string_view body, int nesting,
                       std::vector<BatchPart>& parts) {
  const std::string_view boundary = Boundary(content_type);
  if (boundary.empty()) return MalformedResponse("a part names no boundary");
  if (nesting > kMaxMultipartNesting) return MalformedResponse("its parts are nested too deeply");
  std::string_view part;
  BoundaryLine line = TakeToBoundary(body, {boundary}, part);  // the text before it is ignored
  while (line.which >= 0 && !line.last) {
    line = TakeToBoundary(body, {boundary}, part);
    const std::string_view type = TakeHeaders(part, "Content-Type");
    if (ToLowerAscii(type).starts_with("multipart/")) {
      AZTABLES_RETURN_IF_ERROR(DecodeMultipart(type, part, nesting + 1, parts));
    } else {
      AZTABLES_RETURN_IF_ERROR(DecodeHttp(part, parts));
    }
  }
  return {};
}

}  // namespace

size_t EncodedSize(const BatchOperation& operation) {
  size_t size = sizeof("--changeset_\r\n") - 1 + kGuidSize;
  EncodeOperation(operation, [&size](std::string_view text) { size += text.size(); });
  return size;
}

EncodedBatch EncodeBatch(const std::vector<BatchOperation>& operations, std::string_view batch_id,
                         std::string_view changeset_id) {
  const std::string batch = "batch_" + std::string(batch_id);
  const std::string changeset = "changeset_" + std::string(changeset_id);
  size_t size = kBatchFrameSize;
  for (const BatchOperation& operation : operations) size += EncodedSize(operation);
  EncodedBatch encoded;
  encoded.content_type = "multipart/mixed; boundary=" + batch;
  std::string& body = encoded.body;
  body.reserve(size);
  body += "--" + batch + "\r\nContent-Type: multipart/mixed; boundary=" + changeset + "\r\n\r\n";
  const std::string begin = "--" + changeset + "\r\n";
  for (const BatchOperation& operation : operations) {
    body += begin;
    EncodeOperation(operation, [&body](std::string_view text) { body += text; });
  }
  body += "--" + changeset + "--\r\n--" + batch + "--\r\n";
  return encoded;
}

Result<std::vector<BatchPart>> DecodeBatch(std::string_view content_type, std::string_view body) {
  std::vector<BatchPart> parts;
  // Cosmos may respond with the bare JSON of an error and status 202, even if its header declares
  // multipart.
  if (TrimBlanks(body).starts_with('{')) {
    BatchPart part;
    part.status = 400;
    part.body = TrimBlanks(body);
    parts.push_back(std::move(part));
    return parts;
  }
  if (!ToLowerAscii(content_type).starts_with("multipart/")) {
    return MalformedResponse("it is not multipart");
  }
  AZTABLES_RETURN_IF_ERROR(DecodeMultipart(content_type, body, 0, parts));
  return parts;
}

}  // namespace aztables
