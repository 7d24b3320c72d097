// Proxies: libcurl takes them from the variables of the environment. Requests to this machine never
// use one.
//
// Thread rule: any thread, as long as no other one changes the environment.
#pragma once

#include <string>
#include <string_view>

namespace aztables {

// Whether requests to this origin ("https://host:port") are sent directly, whatever the
// environment.
bool IsDirect(std::string_view origin);

// "; the proxy of https_proxy is used: ...": the advice for a request to this origin that failed.
// Empty if libcurl uses no proxy. The variable's value is not shown, since it may have a password.
std::string ProxyAdvice(std::string_view origin);

}  // namespace aztables
