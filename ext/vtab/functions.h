// The SQL functions. All that have an effect are DIRECTONLY: no view or trigger of a stranger's
// database can call them.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>

#include "session.h"

namespace aztables {

int RegisterFunctions(const std::shared_ptr<Session>& session);

}  // namespace aztables
