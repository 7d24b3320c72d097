// The transport over the network: libcurl, HTTP/1.1 with keep-alive. All requests of a database
// connection use one I/O thread, which the first request starts.
//
// Thread rule: see transport.h. The I/O thread never calls SQLite and blocks all signals. In a
// child after fork() every request fails with a sentence, and nothing of the parent is touched.
#pragma once

#include <memory>

#include "http/transport.h"

namespace aztables {

std::unique_ptr<Transport> MakeCurlTransport();

}  // namespace aztables
