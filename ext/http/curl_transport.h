// The transport over the network: libcurl, HTTP/1.1 with keep-alive. All requests of a database
// connection share one CurlDriver, which the first request makes.
//
// Thread rule: the thread of the database connection. In a child after fork() every request fails
// with a sentence, and nothing of the parent is touched.
#pragma once

#include <memory>

#include "http/transport.h"

namespace aztables {

std::unique_ptr<Transport> MakeCurlTransport();

}  // namespace aztables
