// Allowed host names: see allowed_hosts.h.
#include "server/allowed_hosts.h"

#include <algorithm>

#include "base/encoding.h"
#include "platform/net.h"

namespace aztables {
namespace {

constexpr size_t kLongestName = 253;  // of a host in DNS
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789-._";

// In lower case, without the dot of the DNS root.
std::string Normalized(std::string_view name) {
  if (name.ends_with('.')) name.remove_suffix(1);
  return ToLowerAscii(name);
}

// Removes ":port" from the end of `host`; false if the port is not valid.
bool TakePort(std::string_view& host) {
  const size_t colon = host.rfind(':');
  if (colon == std::string_view::npos || host.ends_with(']')) return true;
  const std::string_view port = host.substr(colon + 1);
  host = host.substr(0, colon);
  return port.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

Status AllowedHosts::Add(std::string_view name) {
  std::string host = Normalized(name);
  if (host.empty() || host.size() > kLongestName ||
      host.find_first_not_of(kLetters) != std::string::npos) {
    return Status::Error("needs the name of a host, without a port");
  }
  names_.push_back(std::move(host));
  return {};
}

bool AllowedHosts::Allows(std::string_view host) const {
  if (!TakePort(host)) return false;
  if (host.starts_with('[') && host.ends_with(']')) {
    const std::string_view inner = host.substr(1, host.size() - 2);
    return IsIpv6(inner.substr(0, inner.find('%')));  // without the zone
  }
  const std::string name = Normalized(host);
  return IsIpv4(name) || name == "localhost" || name.ends_with(".localhost") ||
         std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::optional<Response> AllowedHosts::Refuse(const Headers& headers) const {
  const std::string* const host = headers.Find("Host");
  if (host == nullptr || Allows(*host)) return std::nullopt;  // HTTP/1.0 has no Host
  Response response{.status = 403};
  response.headers.Add("Content-Type", "application/json");
  response.body =
      R"({"odata.error":{"code":"HostNotAllowed","message":{"lang":"en-US","value":)"
      R"("The name in the header Host is not one of this server. Use localhost or an IP )"
      R"(address, or start aztables-server with --allow-host NAME."}}})";
  return response;
}

}  // namespace aztables
