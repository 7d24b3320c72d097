// The table aztables_query(table [, filter [, columns]]).
//
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>

#include "vtab/session/session.h"

namespace aztables {

int RegisterQueryTable(const std::shared_ptr<Session>& session);

}  // namespace aztables
