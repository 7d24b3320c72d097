// Uri: see uri.h.
#include "base/uri.h"

#include "base/encoding.h"
#include "base/secret.h"

namespace aztables {
namespace {

Status Malformed(std::string_view why) {
  return Status::Error("the endpoint is malformed: " + std::string(why));
}

bool IsHostCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

// Splits "host:port"; an IPv6 host is in brackets.
Status ParseAuthority(std::string_view authority, Uri& uri) {
  std::string_view host = authority;
  std::string_view port;
  const size_t bracket = authority.find(']');
  const size_t colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon != std::string_view::npos) {
    host = authority.substr(0, colon);
    port = authority.substr(colon + 1);
    const auto number = ParseInteger(port);
    if (!number || port[0] == '+' || *number < 1 || *number > 65535) {
      return Malformed("its port is not 1 to 65535");
    }
    uri.port = static_cast<int>(*number);
  }
  uri.host = ToLowerAscii(host);
  if (uri.host.empty() || uri.host == "[]") return Malformed("it has no host");
  if (uri.host.front() == '[') {
    for (const char c : std::string_view(uri.host).substr(1, uri.host.size() - 2)) {
      if (!IsHostCharacter(c) && c != ':') return Malformed("its host has an illegal character");
    }
    return uri.host.back() == ']' ? Status() : Malformed("its host lacks a ']'");
  }
  for (const char c : uri.host) {
    if (!IsHostCharacter(c)) return Malformed("its host has an illegal character");
  }
  return {};
}

}  // namespace

std::string Uri::Origin() const {
  std::string origin = scheme + "://" + host;
  if (port != 0) origin += ":" + std::to_string(port);
  return origin;
}

Result<Uri> ParseEndpoint(std::string_view text) {
  Uri uri;
  const size_t colon = text.find("://");
  if (colon == std::string_view::npos) return Malformed("it must begin with http:// or https://");
  uri.scheme = ToLowerAscii(text.substr(0, colon));
  if (uri.scheme != "http" && uri.scheme != "https") {
    return Malformed("it must begin with http:// or https://");
  }
  const std::string_view rest = text.substr(colon + 3);
  if (rest.find_first_of("?#") != std::string_view::npos) {
    return Malformed("it must have no query (a SAS goes into SharedAccessSignature)");
  }
  for (const char c : rest) {
    if (static_cast<unsigned char>(c) <= ' ' || c == 0x7F) return Malformed("it holds a blank");
  }
  const size_t slash = rest.find('/');
  const std::string_view authority = rest.substr(0, slash);
  if (authority.find('@') != std::string_view::npos) return Malformed("it must have no user name");
  AZTABLES_RETURN_IF_ERROR(ParseAuthority(authority, uri));
  for (const char c : rest) {
    if (static_cast<unsigned char>(c) > 0x7F) return Malformed("its path is not percent-encoded");
  }
  if (slash != std::string_view::npos) uri.path = rest.substr(slash);
  while (!uri.path.empty() && uri.path.back() == '/') uri.path.pop_back();
  if (MayBeSecret(uri.path)) return Malformed("its path holds what may be a key or a SAS");
  return uri;
}

bool IsLoopback(std::string_view host) {
  const bool address = host.find_first_not_of("0123456789.") == std::string_view::npos;
  return (address && host.starts_with("127.")) || host == "[::1]" || host == "localhost" ||
         host.ends_with(".localhost");
}

}  // namespace aztables
