// LingeringClose: ends a connection on which the client may still be sending.
//
// Thread rule: the thread of the connection.
#pragma once

#include <functional>

namespace aztables {

// Ends what this side of `socket` sends, then reads and drops what the client sends until it ends
// or has been quiet for some seconds. A socket that is closed with unread bytes resets the
// connection, by which the client may lose the response. `go_on` is asked several times a second.
void LingerBeforeClose(int socket, const std::function<bool()>& go_on);

}  // namespace aztables
