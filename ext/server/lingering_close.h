// LingeringClose: ends a connection on which the client may still send.
//
// Thread rule: the thread of the connection.
#pragma once

#include <functional>

namespace aztables {

// Stops sending on `socket`. Then it reads and drops the client's bytes until the client ends or is
// quiet for some seconds. If a socket is closed with unread bytes, it resets the connection, and
// the client may lose the response. `go_on` is called several times a second.
void LingerBeforeClose(int socket, const std::function<bool()>& go_on);

}  // namespace aztables
