// Requests while they arrive: see incoming_request.h.
#include "server/incoming_request.h"

#include <algorithm>
#include <optional>

#include "base/encoding.h"

namespace aztables {

IncomingRequest::IncomingRequest(std::string_view target) {
  // Clients use the absolute form for proxies; it has the same meaning: RFC 9112, 3.2.2.
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!EqualsIgnoreCase(target.substr(0, scheme.size()), scheme)) continue;
    const size_t end = target.find_first_of("/?", scheme.size());
    target.remove_prefix(std::min(end, target.size()));
    if (target.empty() || target.front() != '/') request_.path = "/";
    break;
  }
  const size_t question = target.find('?');
  if (target.starts_with('/')) request_.path = target.substr(0, question);
  if (question != std::string_view::npos) request_.query = target.substr(question + 1);
}

void IncomingRequest::Begin(std::string_view method, Headers headers, std::string_view address) {
  begun_ = true;
  request_.method = method;
  request_.headers = std::move(headers);
  // Blanks at the ends do not belong to a value: RFC 9112, 5.1.
  for (auto& header : request_.headers.all()) header.value = std::string(TrimBlanks(header.value));
  const std::string_view host = request_.headers.Get("Host");
  request_.origin = "http://" + std::string(host.empty() ? address : host);
}

bool IncomingRequest::announces_too_much() const {
  const std::optional<int64_t> size = ParseInteger(request_.headers.Get("Content-Length"));
  return size && *size > int64_t{kMostRead};
}

bool IncomingRequest::Append(std::string_view bytes) {
  read_ += bytes.size();
  const size_t room = kMostKept + 1 - request_.body.size();
  request_.body.append(bytes.substr(0, room));
  return read_ <= kMostRead;
}

}  // namespace aztables
