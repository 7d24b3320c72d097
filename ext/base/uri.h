// Uri: the parts of an http or https endpoint in a connection string.
//
// Thread rule: a value.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace aztables {

struct Uri {
  std::string scheme;  // "http" or "https"
  std::string host;    // lower case; an IPv6 address keeps its brackets
  int port = 0;        // 0: the default port of the scheme
  std::string path;    // percent-encoded as given, begins with "/" unless empty, no trailing "/"

  // "https://host" or "http://host:10002": the part before the path.
  std::string Origin() const;
  std::string ToString() const { return Origin() + path; }
};

// The endpoint that `text` names. Other schemes, user names, queries, fragments and blanks are
// refused. The error names the fault. It never repeats `text`, which may hold a secret by
// mistake.
Result<Uri> ParseEndpoint(std::string_view text);

// Whether a host in the form of Uri::host is this machine: 127.0.0.0/8, [::1], localhost and its
// subdomains (RFC 6761).
bool IsLoopback(std::string_view host);

}  // namespace aztables
