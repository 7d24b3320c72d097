// AllowedHosts: the names that the header Host may contain. A web page can make its own name
// resolve to 127.0.0.1 (DNS rebinding) and then reach this server as its origin. It cannot change
// the Host that the browser sends.
//
// Thread rule: values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "http/message.h"

namespace aztables {

class AllowedHosts {
 public:
  // Adds a host name, in any case and without a port.
  Status Add(std::string_view name);

  // Whether `host`, the header's value, is an IP address, localhost, a name below localhost or an
  // added name. A port may follow.
  bool Allows(std::string_view host) const;

  // The response to a request for another host; nothing if the host is allowed.
  std::optional<Response> Refuse(const Headers& headers) const;

 private:
  std::vector<std::string> names_;  // in lower case
};

}  // namespace aztables
