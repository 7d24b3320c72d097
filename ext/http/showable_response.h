// Removes from a response what must not be shown. A server or a proxy may repeat the requested
// address, and with it the signature of a SAS. Its error code may be any bytes.
//
// Thread rule: pure; any thread.
#pragma once

#include <string_view>

#include "http/message.h"

namespace aztables {

// The signature that a request is sent with: that of the SAS, unchanged from the query, or that of
// the header Authorization. Empty: it has none.
std::string_view SignatureOf(const Request& request);

// Replaces the signature by "...", in any encoding (base/conceal.h), in every header and in a body
// that is not a page of entities. Each header that is shown becomes one printable line.
void MakeShowable(Response& response, std::string_view signature);

}  // namespace aztables
