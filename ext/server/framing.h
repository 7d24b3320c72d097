// Framing: checks that a request's head determines its end and its host without ambiguity.
// Otherwise a proxy could interpret it differently and pass on a request that no client sent.
// Source: RFC 9112, 3.2, 5.1 and 6.3.
//
// Thread rule: free functions; any thread.
#pragma once

#include <string_view>

#include "http/message.h"

namespace aztables {

// The reason to refuse the head, as a sentence; empty if it is valid. `version`: "HTTP/1.1". The
// values still have the blanks at their ends.
std::string_view FramingError(std::string_view version, const Headers& headers);

// Whether the head announces a body.
bool HasBody(const Headers& headers);

}  // namespace aztables
