// TableName: the remote table that an argument names, "Orders" or "prod.Orders".
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace aztables {

struct TableName {
  std::string connection = "default";
  std::string table;
  bool connection_given = false;
};

// An error if no service accepts a table of that name. Session::FindFor() checks the name by the
// rules of the connection's own service.
Result<TableName> ParseTableName(std::string_view text);

}  // namespace aztables
