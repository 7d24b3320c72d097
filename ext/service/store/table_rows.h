// TableRows: the tables of an account in the store, their access policies, and the properties of
// the account's service.
//
// Errors: storage errors.
// Thread rule: that of the connection.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "service/store/store_connection.h"

namespace aztables {

struct TableRow {
  int64_t id = 0;
  std::string name;      // as it was created
  std::string policies;  // XML as it is answered; empty: never set
  // How many tables of this name were deleted before it: tells its continuation tokens from theirs.
  int64_t generation = 0;
};

class TableRows {
 public:
  TableRows(StoreConnection* connection, std::string_view account)
      : connection_(connection), account_(account) {}

  // The table of that name, in any case; nothing where there is none.
  Result<std::optional<TableRow>> Find(std::string_view name);
  // The same, or 404 TableNotFound.
  Result<TableRow> Get(std::string_view name);
  // Shows the tables from the name `from` on in order of their names, until `visit` returns false.
  Status Scan(std::string_view from, const std::function<bool(const std::string& name)>& visit);

  // Each needs a write transaction.
  Status Create(std::string_view name);
  Status Delete(std::string_view name);
  Status SetPolicies(const TableRow& table, std::string_view policies);

  // Empty where they were never set.
  Result<std::string> ServiceProperties();
  Status SetServiceProperties(std::string_view properties);

 private:
  StoreConnection* connection_;
  std::string account_;
};

}  // namespace aztables
