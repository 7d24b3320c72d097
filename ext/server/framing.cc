// Framing checks: see framing.h.
#include "server/framing.h"

#include <algorithm>

#include "base/encoding.h"

namespace aztables {
namespace {

constexpr std::string_view kLength = "Content-Length";
constexpr std::string_view kCoding = "Transfer-Encoding";

bool IsToken(std::string_view name) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !name.empty() && std::all_of(name.begin(), name.end(), [&](char c) {
    return IsAsciiLetterOrDigit(c) || kMarks.find(c) != std::string_view::npos;
  });
}

// libmicrohttpd 0.9.75 joins the second line of a folded header to its name: "Content-Length5".
bool IsFolded(std::string_view name, std::string_view known) {
  return name.size() > known.size() && EqualsIgnoreCase(name.substr(0, known.size()), known);
}

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::string_view FramingError(std::string_view version, const Headers& headers) {
  const std::string* length = nullptr;
  const std::string* coding = nullptr;
  int hosts = 0;
  for (const Headers::Header& header : headers.all()) {
    if (!IsToken(header.name)) return "The name of a header is not valid.";
    // Some readers end a line at a bare CR: RFC 9110, 5.5.
    if (header.value.find('\r') != std::string::npos) return "The value of a header is not valid.";
    if (IsFolded(header.name, kLength) || IsFolded(header.name, kCoding)) {
      return "A header is folded.";
    }
    if (EqualsIgnoreCase(header.name, "Host")) ++hosts;
    if (EqualsIgnoreCase(header.name, kCoding)) {
      if (coding != nullptr) return "There are two headers Transfer-Encoding.";
      coding = &header.value;
    }
    if (!EqualsIgnoreCase(header.name, kLength)) continue;
    if (length != nullptr && *length != header.value) {
      return "There are two headers Content-Length that differ.";
    }
    length = &header.value;
  }
  const bool old = version == "HTTP/1.0";
  if (hosts > 1 || (hosts == 0 && !old)) return "There has to be one header Host.";
  if (length != nullptr && !IsNumber(*length)) return "Content-Length is not a number.";
  if (coding == nullptr) return {};
  if (length != nullptr) return "Content-Length and Transfer-Encoding exclude each other.";
  if (old || !EqualsIgnoreCase(*coding, "chunked")) return "Transfer-Encoding has to be chunked.";
  return {};
}

bool HasBody(const Headers& headers) {
  const std::string* const length = headers.Find(kLength);
  return headers.Find(kCoding) != nullptr ||
         (length != nullptr && length->find_first_not_of('0') != std::string::npos);
}

}  // namespace aztables
