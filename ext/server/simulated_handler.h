// A handler that a simulation stands before: delays, refusals and faults of connections.
//
// Thread rule: any number of threads may call the handler at once.
#pragma once

#include <memory>

#include "server/http_handler.h"
#include "service/simulation/simulation.h"

namespace aztables {

// Waits end early if the server stops. A stall also ends if the client closes the connection. The
// time limit of requests does not apply to either.
Handler WithSimulation(Handler inner, std::shared_ptr<Simulation> simulation);

}  // namespace aztables
