// SimulatedTransport: a simulation before another transport, which serves the requests at once. An
// outcome without a response is the one that the network's transport would give.
//
// Nothing here blocks but Call::Work, and that for Cancel::kSlice at most.
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>

#include "http/transport.h"
#include "service/simulation/simulation.h"

namespace aztables {

std::unique_ptr<Transport> MakeSimulatedTransport(std::unique_ptr<Transport> inner,
                                                  std::unique_ptr<Simulation> simulation);

}  // namespace aztables
