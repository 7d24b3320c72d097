// TableRows: an account's tables in the store with their access policies, and the properties of its
// service.
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
  std::string name;      // as created
  std::string policies;  // XML as in responses; empty: never set
  // How many tables of this name were deleted before. It distinguishes their continuation tokens.
  int64_t generation = 0;
};

class TableRows {
 public:
  TableRows(StoreConnection* connection, std::string_view account)
      : connection_(connection), account_(account) {}

  // The table with that name in any case; nothing if it does not exist.
  Result<std::optional<TableRow>> Find(std::string_view name);
  // The same; 404 TableNotFound if it does not exist.
  Result<TableRow> Get(std::string_view name);
  // Passes the tables from the name `from` on, in order, to `visit` until it returns false.
  Status Scan(std::string_view from, const std::function<bool(const std::string& name)>& visit);

  // These require a write transaction.
  Status Create(std::string_view name);
  Status Delete(std::string_view name);
  Status SetPolicies(const TableRow& table, std::string_view policies);

  // Empty if never set.
  Result<std::string> ServiceProperties();
  Status SetServiceProperties(std::string_view properties);

 private:
  StoreConnection* connection_;
  std::string account_;
};

}  // namespace aztables
