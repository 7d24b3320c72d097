// Uri: the parts of an http or https endpoint, as a connection string gives it.
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
  int port = 0;        // 0: the scheme's own
  std::string path;    // percent-encoded as given, begins with "/" unless empty, no trailing "/"

  // "https://host" or "http://host:10002": what stands before the path on the wire.
  std::string Origin() const;
  std::string ToString() const { return Origin() + path; }
};

// The endpoint that `text` names. Refuses other schemes, user names, queries, fragments and blanks;
// the error says what is wrong and never repeats `text`, which may hold a secret by mistake.
Result<Uri> ParseEndpoint(std::string_view text);

}  // namespace aztables
