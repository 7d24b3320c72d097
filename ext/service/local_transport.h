// LocalTransport: hands requests to a table service in this process, below the same pipeline as the
// network. Requests are served on the thread that waits for them (Call::Drive); those that
// wait together and write share one commit to the disk.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "http/transport.h"

namespace aztables {

// A transport to the store at `path` (":memory:": one in memory, which ends with the transport).
// The file is opened at the first request, and created by Create Table alone. `check` is called
// before requests are served; its error is their outcome.
std::unique_ptr<Transport> MakeLocalTransport(std::string path, std::function<Status()> check);

}  // namespace aztables
