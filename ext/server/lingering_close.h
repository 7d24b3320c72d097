// Ends of connections: a close that the client survives while it still sends, and a reset.
//
// Thread rule: the thread of the connection.
#pragma once

#include <functional>

namespace aztables {

// Stops sending on `socket`. Then it reads and drops the client's bytes until the client ends or is
// quiet for some seconds. If a socket is closed with unread bytes, it resets the connection, and
// the client may lose the response. `go_on` is called several times a second.
void LingerBeforeClose(int socket, const std::function<bool()>& go_on);

// Sends RST at once.
void ResetConnection(int socket);

// Whether the client has closed the connection, or will send nothing more.
bool IsClosedByPeer(int socket);

}  // namespace aztables
