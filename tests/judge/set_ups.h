// SetUps: for each recorded exchange, the state before its request, and the parts of the request
// that the recording does not contain. One file per kind of exchange.
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

// The set-ups of many exchanges.
inline void Nothing(Stage&) {}
inline void ItsTable(Stage& stage) { stage.CreateTable(); }

SetUps TableSetUps();   // tables, policies, service properties, access: set_ups_tables.cc
SetUps EntitySetUps();  // writes and point reads: set_ups_entities.cc
SetUps QuerySetUps();   // set_ups_queries.cc
SetUps BatchSetUps();   // set_ups_batches.cc

}  // namespace aztables::judge
