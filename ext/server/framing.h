// Framing: whether the head of a request says beyond doubt where the request ends and whom it is
// for. A proxy in front could read a doubtful one otherwise, and pass on a request that nobody
// sent. Source: RFC 9112, 3.2, 5.1 and 6.3.
//
// Thread rule: free functions; any thread.
#pragma once

#include <string_view>

#include "http/message.h"

namespace aztables {

// Why the head is refused, as a sentence; empty: it is not. `version`: "HTTP/1.1". The values are
// as they came, with the blanks at their ends.
std::string_view FramingError(std::string_view version, const Headers& headers);

// Whether the head announces a body.
bool HasBody(const Headers& headers);

}  // namespace aztables
