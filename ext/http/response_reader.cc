// ResponseReader: see response_reader.h.
#include "http/response_reader.h"

#include <new>
#include <string>
#include <utility>

#include "base/encoding.h"

namespace aztables {
namespace {

constexpr size_t kMaxBody = size_t{64} << 20;  // a page of the service has at most 4 MiB
// libcurl 7.88 itself accepts 100 KiB for one header and 300 KiB for all headers. A continuation
// token consists of two keys of at most 1 KiB, so it has a few KiB.
constexpr size_t kMaxHeaderBytes = 256 * 1024;
constexpr size_t kFirstReserve = 256 * 1024;
constexpr size_t kMostReserve = size_t{16} << 20;  // a page has at most 4 MiB

}  // namespace

bool ResponseReader::AddHeader(std::string_view line) noexcept {
  header_bytes_ += line.size();
  if (header_bytes_ > kMaxHeaderBytes) {
    return Fail("the response has more than 256 KiB of headers");
  }
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  if (line.starts_with("HTTP/")) {
    response_.headers = {};  // an interim response was received before
    head_complete_ = false;
    return true;
  }
  if (line.empty()) {
    head_complete_ = true;
    return Reserve();
  }
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return true;
  try {
    response_.headers.Add(std::string(line.substr(0, colon)),
                          std::string(TrimBlanks(line.substr(colon + 1))));
  } catch (const std::bad_alloc&) {
    return FailForMemory();
  }
  return true;
}

bool ResponseReader::Reserve() noexcept {
  const auto length = ParseInteger(response_.headers.Get("Content-Length"));
  if (!length || *length < 0 || *length > static_cast<int64_t>(kMostReserve)) return true;
  std::string& body = response_.body;
  const auto size = static_cast<size_t>(*length);
  try {
    body.reserve(size);
  } catch (const std::bad_alloc&) {
    return FailForMemory();
  }
  return true;
}

bool ResponseReader::AddBody(std::string_view bytes) noexcept {
  std::string& body = response_.body;
  const size_t size = body.size() + bytes.size();
  if (size > kMaxBody) return Fail("the response is larger than 64 MiB");
  try {
    if (body.capacity() < kFirstReserve && size > 4096) body.reserve(kFirstReserve);
    body.append(bytes);
  } catch (const std::bad_alloc&) {
    return FailForMemory();
  }
  return true;
}

Response ResponseReader::Take(int status) {
  response_.status = status;
  return std::move(response_);
}

}  // namespace aztables
