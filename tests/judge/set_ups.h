// SetUps: for each recorded exchange, what has to be there before its request, and what the
// recording lacks of the request. One file per kind of exchange.
//
// Thread rule: values.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "judge/stage.h"

namespace aztables::judge {

using SetUp = std::function<void(Stage&)>;
using SetUps = std::map<std::string, SetUp>;

SetUps TableSetUps();   // tables, policies, service properties, who may ask: set_ups_tables.cc
SetUps EntitySetUps();  // writes and point reads: set_ups_entities.cc
SetUps QuerySetUps();   // set_ups_queries.cc
SetUps BatchSetUps();   // set_ups_batches.cc

}  // namespace aztables::judge
