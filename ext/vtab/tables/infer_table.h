// The result of aztables_schema(table).
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>

#include "base/status.h"
#include "vtab/session/session.h"

namespace aztables {

// The CREATE VIRTUAL TABLE for a sample of `table` ("prod.Orders"), ready to paste.
Result<std::string> InferredSchemaText(Session& session, const std::string& table);

}  // namespace aztables
