// TableName: see table_name.h.
#include "schema/table_name.h"

#include "auth/connection_source.h"
#include "model/limits.h"

namespace aztables {

Result<TableName> ParseTableName(std::string_view text) {
  TableName name;
  const size_t dot = text.find('.');
  if (dot != std::string_view::npos) {
    name.connection = text.substr(0, dot);
    name.connection_given = true;
    text.remove_prefix(dot + 1);
    if (!IsConnectionName(name.connection)) {
      return Status::Error(
          "the part of a table argument before the dot must be the name of a connection, "
          "as in 'prod.Orders'");
    }
  }
  name.table = text;
  AZTABLES_RETURN_IF_ERROR(CheckTableName(name.table));
  return name;
}

}  // namespace aztables
