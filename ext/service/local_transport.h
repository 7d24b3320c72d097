// LocalTransport: sends requests to a table service in this process, below the pipeline that the
// network uses, too. The thread that waits for requests serves them (Call::Work). Writes that wait
// together share one commit to the disk.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "http/transport.h"

namespace aztables {

// A transport to the store at `path`; ":memory:" is a store that ends with the transport. The first
// request opens the file; only Create Table creates it. `check` is called before requests are
// served; its error becomes their error. `simulation` is a plan (simulation/plan.h), or empty. An
// error is that of the plan.
Result<std::unique_ptr<Transport>> MakeLocalTransport(std::string path,
                                                      std::function<Status()> check,
                                                      std::string_view simulation = {});

}  // namespace aztables
