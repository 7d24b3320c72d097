// Proxies: see proxy.h. The names of the variables, and their order: libcurl's documentation,
// "CURLOPT_PROXY".
#include "http/proxy.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/encoding.h"
#include "base/uri.h"

namespace aztables {
namespace {

std::string_view HostOf(std::string_view origin) {
  const size_t scheme = origin.find("://");
  std::string_view host = origin.substr(scheme == std::string_view::npos ? 0 : scheme + 3);
  const size_t end = host.starts_with('[') ? host.find(']') + 1 : host.find(':');
  return host.substr(0, end);
}

std::string_view Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

// Whether no_proxy names the host, or a domain that has it.
bool IsExcluded(std::string_view host) {
  std::string_view list = Variable("no_proxy");
  if (list.empty()) list = Variable("NO_PROXY");
  constexpr std::string_view kSeparators = ", \t";
  while (!list.empty()) {
    const size_t end = std::min(list.find_first_of(kSeparators), list.size());
    std::string_view entry = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    if (entry == "*") return true;
    if (entry.starts_with('.')) entry.remove_prefix(1);
    if (entry.empty() || entry.size() > host.size()) continue;
    const size_t rest = host.size() - entry.size();
    if (EqualsIgnoreCase(host.substr(rest), entry) && (rest == 0 || host[rest - 1] == '.'))
      return true;
  }
  return false;
}

}  // namespace

bool IsDirect(std::string_view origin) { return IsLoopback(HostOf(origin)); }

std::string ProxyAdvice(std::string_view origin) {
  const std::string_view host = HostOf(origin);
  if (IsLoopback(host) || IsExcluded(host)) return {};
  const std::vector<const char*> names =
      origin.starts_with("https:")
          ? std::vector{"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}
          : std::vector{"http_proxy", "all_proxy", "ALL_PROXY"};
  for (const char* const name : names) {
    if (Variable(name).empty()) continue;
    return std::string("; the variable ") + name +
           " names a proxy: check it, or add the host to no_proxy";
  }
  return {};
}

}  // namespace aztables
