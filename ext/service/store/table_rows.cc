// Tables in the store: see table_rows.h.
#include "service/store/table_rows.h"

#include "service/storage_error.h"
#include "service/store/entity_rows.h"

namespace aztables {

Result<std::optional<TableRow>> TableRows::Find(std::string_view name) {
  StoreStatement statement = connection_->Prepare(
      "SELECT id, name, policies, generation FROM tables WHERE account = ?1 AND name = ?2");
  const auto row = statement.BindText(1, account_).BindText(2, name).Step();
  if (!row.ok()) return row.status();
  if (!*row) return std::optional<TableRow>();
  return std::optional(TableRow{.id = statement.Integer(0),
                                .name = std::string(statement.Bytes(1)),
                                .policies = std::string(statement.Bytes(2)),
                                .generation = statement.Integer(3)});
}

Result<TableRow> TableRows::Get(std::string_view name) {
  auto found = Find(name);
  if (!found.ok()) return found.status();
  if (!*found) return ToStatus(errors::kTableNotFound);
  return std::move(**found);
}

Status TableRows::Scan(std::string_view from,
                       const std::function<bool(const std::string& name)>& visit) {
  StoreStatement statement = connection_->Prepare(
      "SELECT name FROM tables WHERE account = ?1 AND name >= ?2 ORDER BY name");
  statement.BindText(1, account_).BindText(2, from);
  while (true) {
    const auto row = statement.Step();
    if (!row.ok()) return row.status();
    if (!*row || !visit(std::string(statement.Bytes(0)))) return {};
  }
}

Status TableRows::Create(std::string_view name) {
  const auto found = Find(name);
  if (!found.ok()) return found.status();
  if (*found) return ToStatus(errors::kTableAlreadyExists);
  AZTABLES_RETURN_IF_ERROR(
      connection_
          ->Prepare("INSERT INTO tables(account, name, generation) VALUES(?1, ?2, coalesce("
                    "(SELECT generations FROM deleted WHERE account = ?1 AND name = ?2), 0))")
          .BindText(1, account_)
          .BindText(2, name)
          .Run());
  const auto table = Get(name);
  if (!table.ok()) return table.status();
  return connection_->Execute(EntityRows::CreateSql(table->id));
}

Status TableRows::Delete(std::string_view name) {
  const auto found = Find(name);
  if (!found.ok()) return found.status();
  if (!*found) return ToStatus(errors::kResourceNotFound);
  AZTABLES_RETURN_IF_ERROR(
      connection_->Prepare("DELETE FROM tables WHERE id = ?1").BindInteger(1, (*found)->id).Run());
  StoreStatement count = connection_->Prepare(
      "INSERT INTO deleted VALUES(?1, ?2, 1)"
      " ON CONFLICT(account, name) DO UPDATE SET generations = generations + 1");
  AZTABLES_RETURN_IF_ERROR(count.BindText(1, account_).BindText(2, name).Run());
  return connection_->Execute(EntityRows::DropSql((*found)->id));
}

Status TableRows::SetPolicies(const TableRow& table, std::string_view policies) {
  return connection_->Prepare("UPDATE tables SET policies = ?2 WHERE id = ?1")
      .BindInteger(1, table.id)
      .BindText(2, policies)
      .Run();
}

Result<std::string> TableRows::ServiceProperties() {
  StoreStatement statement =
      connection_->Prepare("SELECT properties FROM services WHERE account = ?1");
  const auto row = statement.BindText(1, account_).Step();
  if (!row.ok()) return row.status();
  return *row ? std::string(statement.Bytes(0)) : std::string();
}

Status TableRows::SetServiceProperties(std::string_view properties) {
  StoreStatement statement = connection_->Prepare(
      "INSERT INTO services VALUES(?1, ?2) ON CONFLICT(account) DO UPDATE SET properties = ?2");
  return statement.BindText(1, account_).BindText(2, properties).Run();
}

}  // namespace aztables
