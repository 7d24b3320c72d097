// What of an answer may be shown: a server or a proxy may repeat the address that it was asked for,
// and with it the signature of a SAS, and what it calls a code may be any bytes.
//
// Thread rule: pure; any thread.
#pragma once

#include <string_view>

#include "http/message.h"

namespace aztables {

// The signature that a request is sent with: the one of a SAS, as it stands in the query, or that
// of the header Authorization. Empty: it has none.
std::string_view SignatureOf(const Request& request);

// Puts "..." in the place of the signature, however it is encoded (base/conceal.h), in every header
// and in a body that is no page of entities; and makes the headers that are shown one printable
// line.
void MakeShowable(Response& response, std::string_view signature);

}  // namespace aztables
