// The transport over the network: libcurl, HTTP/1.1 with keep-alive, all requests of a database
// connection on one I/O thread, which is started by the first request.
//
// Thread rule: see transport.h. The I/O thread calls nothing of SQLite and blocks all signals. In a
// child after fork() every request fails with a sentence, and nothing of the parent's is touched.
#pragma once

#include <memory>

#include "http/transport.h"

namespace aztables {

std::unique_ptr<Transport> MakeCurlTransport();

}  // namespace aztables
