// The bytes that LoopbackServer sends, and its parser for requests. Private to loopback_server.cc.
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "base/encoding.h"
#include "support/loopback_server.h"

namespace aztables::support {

inline std::string HeadOf(const Reply& reply, const std::string& framing) {
  std::string head = "HTTP/1.1 " + std::to_string(reply.status) + " Scripted\r\n";
  for (const auto& header : reply.headers) head += header.name + ": " + header.value + "\r\n";
  return head + framing + "\r\n\r\n";
}

inline std::string Chunk(std::string_view bytes) {
  char size[32];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  return size + std::string(bytes) + "\r\n";
}

inline std::string InChunks(const Reply& reply) {
  std::string sent;
  std::string_view left = reply.body;
  for (const size_t size : reply.chunks) {
    if (left.empty()) break;
    sent += Chunk(left.substr(0, size));
    left.remove_prefix(std::min(size, left.size()));
  }
  if (!left.empty()) sent += Chunk(left);
  return reply.missing > 0 ? sent : sent + "0\r\n\r\n";
}

// The bytes of a response, split at `pause`.
inline std::pair<std::string, std::string> BytesOf(const Reply& reply) {
  if (reply.raw) return {*reply.raw, ""};
  const bool chunked = !reply.chunks.empty();
  const std::string body = chunked ? InChunks(reply) : reply.body;
  const std::string framing =
      chunked ? "Transfer-Encoding: chunked"
              : "Content-Length: " + std::to_string(body.size() + reply.missing);
  std::string first = reply.interim ? "HTTP/1.1 100 Continue\r\n\r\n" : "";
  first += HeadOf(reply, framing) + body.substr(0, body.size() / 2);
  return {std::move(first), body.substr(body.size() / 2)};
}

// The request line and the headers; `head` includes the blank line.
inline WireRequest ParseHead(std::string_view head) {
  WireRequest request;
  const size_t line_end = head.find("\r\n");
  const std::string_view line = head.substr(0, line_end);
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  request.method = line.substr(0, first);
  if (first < last) request.target = line.substr(first + 1, last - first - 1);
  for (size_t at = line_end + 2; at < head.size();) {
    const size_t end = head.find("\r\n", at);
    const std::string_view header = head.substr(at, end - at);
    if (const size_t colon = header.find(':'); colon != std::string_view::npos) {
      request.headers.Add(std::string(header.substr(0, colon)),
                          std::string(TrimBlanks(header.substr(colon + 1))));
    }
    at = end + 2;
  }
  return request;
}

}  // namespace aztables::support
