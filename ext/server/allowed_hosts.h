// AllowedHosts: which names of this server are taken in the header Host. A page in a browser may
// let its own name resolve to 127.0.0.1 (DNS rebinding) and so reach the server as its own origin,
// but it cannot change the name that the browser sends.
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
  // Adds the name of a host, in any case and without a port.
  Status Add(std::string_view name);

  // Whether `host`, the value of the header, is an IP address, localhost, a name below localhost or
  // one that was added; a port may follow.
  bool Allows(std::string_view host) const;

  // The response to a request that names another host; nothing where it may go on.
  std::optional<Response> Refuse(const Headers& headers) const;

 private:
  std::vector<std::string> names_;  // in lower case
};

}  // namespace aztables
