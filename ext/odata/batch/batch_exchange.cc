// The service's side of batches: see batch_exchange.h.
//
// The body is read in one pass. Boundary lines alone separate its parts. Content-Length inside of a
// batch is ignored (SDKs count it wrong). Only blanks may be outside of parts, so that no operation
// is silently skipped.
#include "odata/batch/batch_exchange.h"

#include "base/encoding.h"
#include "odata/batch/multipart.h"
#include "odata/invalid_input.h"

namespace aztables {
namespace {

constexpr std::string_view kMixed = "multipart/mixed";
constexpr std::string_view kHttp = "application/http";

Status MalformedRequest(std::string_view why) {
  return InvalidInputBecause("the batch cannot be read: " + std::string(why));
}

bool IsBlank(std::string_view text) { return TrimBlanks(text).empty(); }

// Removes the head of a part from `text`; `type` is its Content-Type.
Status TakePartHead(std::string_view& text, std::string_view& type) {
  type = {};
  std::string_view name;
  std::string_view value;
  for (;;) {
    const HeadLine line = TakeHeader(text, name, value);
    if (line == HeadLine::kEnd) return {};
    // A name with this prefix is a boundary with a colon in it: the head is not closed.
    if (line == HeadLine::kOther || name.starts_with("--")) {
      return MalformedRequest("a line in the head of a part is not a header");
    }
    if (EqualsIgnoreCase(name, "Content-Type")) type = value;
  }
}

// POST /T HTTP/1.1. The URL is the text between the first blank and the last one: some SDKs do not
// encode the blanks of a key.
bool ReadRequestLine(std::string_view line, BatchRequest& request) {
  constexpr std::string_view kVersion = " HTTP/1.1";
  line = TrimBlanks(line);
  if (!line.ends_with(kVersion)) return false;
  line.remove_suffix(kVersion.size());
  const size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return false;
  const std::string_view method = line.substr(0, blank);
  const std::string_view url = line.substr(blank + 1);
  for (const char c : method) {
    if (c < 'A' || c > 'Z') return false;
  }
  for (const char c : url) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
  }
  if (method.empty() || url.empty() || url.front() == ' ' || url.back() == ' ') return false;
  request.method = method;
  request.url = url;
  return true;
}

// The content of a part after its head.
Status ReadRequest(std::string_view text, BatchRequest& request) {
  std::string_view line;
  while (line.empty() && !text.empty()) line = TakeLine(text);
  if (!ReadRequestLine(line, request)) return MalformedRequest("a part has no request line");
  std::string_view name;
  std::string_view value;
  for (;;) {
    const HeadLine kind = TakeHeader(text, name, value);
    if (kind == HeadLine::kEnd) break;
    if (kind == HeadLine::kOther || name.empty()) {
      return MalformedRequest("a line in the head of a request is not a header");
    }
    request.headers.emplace_back(name, value);
  }
  request.body = TrimBlanks(text);  // also removes the line end of the boundary
  return {};
}

class Reader {
 public:
  Reader(std::string_view boundary, std::string_view body) : outer_(boundary), rest_(body) {}

  Status Read(BatchContent& content) {
    std::string_view before;
    BoundaryLine line = TakeToBoundary(rest_, {outer_}, before);
    if (line.which < 0 || line.last) return MalformedRequest("it has no part");
    if (!IsBlank(before)) return MalformedRequest("there is text before its first boundary");
    std::string_view type;
    AZTABLES_RETURN_IF_ERROR(TakePartHead(rest_, type));
    if (EqualsIgnoreCase(MediaType(type), kMixed)) {
      content.changeset = true;
      AZTABLES_RETURN_IF_ERROR(ReadChangeset(Boundary(type), content));
    } else if (EqualsIgnoreCase(MediaType(type), kHttp)) {
      AZTABLES_RETURN_IF_ERROR(ReadSingle(content));
    } else {
      return MalformedRequest("its part is neither multipart/mixed nor application/http");
    }
    // The boundary after the part may lack the mark of the last one, but it must be the last.
    if (!IsBlank(rest_)) return MalformedRequest("there is text after its changeset or request");
    return {};
  }

 private:
  Status ReadSingle(BatchContent& content) {
    std::string_view part;
    TakeToBoundary(rest_, {outer_}, part);
    BatchRequest request;
    AZTABLES_RETURN_IF_ERROR(ReadRequest(part, request));
    if (request.method != "GET") {
      return MalformedRequest("only a GET is allowed outside a changeset");
    }
    content.requests.push_back(std::move(request));
    return {};
  }

  // Also removes the boundary of the batch after the changeset.
  Status ReadChangeset(std::string_view inner, BatchContent& content) {
    if (inner.empty()) return MalformedRequest("the changeset names no boundary");
    if (inner == outer_) return MalformedRequest("the changeset has the boundary of the batch");
    std::string_view part;
    BoundaryLine line = TakeToBoundary(rest_, {inner, outer_}, part);
    if (!IsBlank(part)) {
      return MalformedRequest("there is text before the first boundary of the changeset");
    }
    while (line.which == kInner && !line.last) {
      line = TakeToBoundary(rest_, {inner, outer_}, part);
      AZTABLES_RETURN_IF_ERROR(ReadOperation(part, content));
    }
    // If the body was cut off, operations may be missing: none is carried out.
    if (line.which != kInner) return MalformedRequest("the changeset has no end");
    line = TakeToBoundary(rest_, {inner, outer_}, part);
    if (line.which == kInner || !IsBlank(part)) {
      return MalformedRequest("there is text after the last boundary of the changeset");
    }
    return {};
  }

  static Status ReadOperation(std::string_view part, BatchContent& content) {
    std::string_view type;
    AZTABLES_RETURN_IF_ERROR(TakePartHead(part, type));
    if (!EqualsIgnoreCase(MediaType(type), kHttp)) {
      return MalformedRequest("a part of the changeset is not application/http");
    }
    content.requests.emplace_back();
    BatchRequest& request = content.requests.back();
    AZTABLES_RETURN_IF_ERROR(ReadRequest(part, request));
    if (request.method == "GET") return MalformedRequest("a GET is not allowed in a changeset");
    return {};
  }

  static constexpr int kInner = 0;
  std::string_view outer_;
  std::string_view rest_;
};

std::string_view ReasonPhrase(int status) {
  constexpr std::pair<int, std::string_view> kPhrases[] = {
      {200, "OK"},
      {201, "Created"},
      {202, "Accepted"},
      {204, "No Content"},
      {400, "Bad Request"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {409, "Conflict"},
      {412, "Precondition Failed"},
      {413, "Request Entity Too Large"},
      {500, "Internal Server Error"},
      {501, "Not Implemented"},
      {503, "Service Unavailable"},
      {507, "Insufficient Storage"},
  };
  for (const auto& [known, phrase] : kPhrases) {
    if (known == status) return phrase;
  }
  return "Unknown";
}

void AppendResponse(std::string& out, const OperationResponse& response) {
  out += "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nHTTP/1.1 ";
  out += std::to_string(response.status);
  out += ' ';
  out += ReasonPhrase(response.status);
  out += "\r\n";
  for (const auto& [name, value] : response.headers) {
    out += name;
    out += ": ";
    out += value;
    out += "\r\n";
  }
  out += "\r\n";
  out += response.body;
  out += "\r\n";
}

}  // namespace

Result<BatchContent> DecodeBatchRequest(std::string_view content_type, std::string_view body) {
  if (!EqualsIgnoreCase(MediaType(content_type), kMixed)) {
    return MalformedRequest("its Content-Type is not multipart/mixed");
  }
  const std::string_view boundary = Boundary(content_type);
  if (boundary.empty()) return MalformedRequest("its Content-Type names no boundary");
  BatchContent content;
  AZTABLES_RETURN_IF_ERROR(Reader(boundary, body).Read(content));
  return content;
}

EncodedBatchResponse EncodeBatchResponse(const std::vector<OperationResponse>& responses,
                                         std::string_view batch_id, std::string_view changeset_id) {
  const std::string batch = "batchresponse_" + std::string(batch_id);
  const std::string changeset = "changesetresponse_" + std::string(changeset_id);
  const bool in_changeset = !changeset_id.empty();
  EncodedBatchResponse encoded;
  encoded.content_type = "multipart/mixed; boundary=" + batch;
  std::string& body = encoded.body;
  constexpr size_t kUsualSize = 512;  // of a response without an error
  body.reserve((responses.size() + 1) * kUsualSize);
  if (in_changeset) {
    body += "--" + batch + "\r\nContent-Type: multipart/mixed; boundary=" + changeset + "\r\n\r\n";
  }
  const std::string begin = "--" + (in_changeset ? changeset : batch) + "\r\n";
  for (const OperationResponse& response : responses) {
    body += begin;
    AppendResponse(body, response);
  }
  if (in_changeset) body += "--" + changeset + "--\r\n";
  body += "--" + batch + "--\r\n";
  return encoded;
}

}  // namespace aztables
