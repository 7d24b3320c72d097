// Tables in the store: see table_rows.h.
#include "service/store/table_rows.h"

#include "service/storage_error.h"
#include "service/store/entity_rows.h"

namespace aztables {

Result<std::optional<TableRow>> TableRows::Find(std::string_view name) {
  auto statement = connection_->Prepare(
      "SELECT id, name, policies, generation FROM tables WHERE account = ?1 AND name = ?2");
  if (!statement.ok()) return statement.status();
  const auto row = statement->BindText(1, account_).BindText(2, name).Step();
  if (!row.ok()) return row.status();
  if (!*row) return std::optional<TableRow>();
  TableRow table;
  table.id = statement->Integer(0);
  table.name = statement->Bytes(1);
  table.policies = statement->Bytes(2);
  table.generation = statement->Integer(3);
  return std::optional(std::move(table));
}

Result<TableRow> TableRows::Get(std::string_view name) {
  auto found = Find(name);
  if (!found.ok()) return found.status();
  if (!*found) return ToStatus(errors::kTableNotFound);
  return std::move(**found);
}

Status TableRows::Scan(std::string_view from,
                       const std::function<bool(const std::string& name)>& visit) {
  auto statement = connection_->Prepare(
      "SELECT name FROM tables WHERE account = ?1 AND name >= ?2 ORDER BY name");
  if (!statement.ok()) return statement.status();
  statement->BindText(1, account_).BindText(2, from);
  while (true) {
    const auto row = statement->Step();
    if (!row.ok()) return row.status();
    if (!*row || !visit(std::string(statement->Bytes(0)))) return {};
  }
}

Status TableRows::Create(std::string_view name) {
  const auto found = Find(name);
  if (!found.ok()) return found.status();
  if (*found) return ToStatus(errors::kTableAlreadyExists);
  auto insert = connection_->Prepare(
      "INSERT INTO tables(account, name, generation) VALUES(?1, ?2, coalesce("
      "(SELECT generations FROM deleted WHERE account = ?1 AND name = ?2), 0))");
  if (!insert.ok()) return insert.status();
  AZTABLES_RETURN_IF_ERROR(insert->BindText(1, account_).BindText(2, name).Run());
  const auto table = Get(name);
  if (!table.ok()) return table.status();
  return connection_->Execute(EntityRows::CreateSql(table->id));
}

Status TableRows::Delete(std::string_view name) {
  const auto found = Find(name);
  if (!found.ok()) return found.status();
  if (!*found) return ToStatus(errors::kResourceNotFound);
  auto remove = connection_->Prepare("DELETE FROM tables WHERE id = ?1");
  if (!remove.ok()) return remove.status();
  AZTABLES_RETURN_IF_ERROR(remove->BindInteger(1, (*found)->id).Run());
  auto count = connection_->Prepare(
      "INSERT INTO deleted VALUES(?1, ?2, 1)"
      " ON CONFLICT(account, name) DO UPDATE SET generations = generations + 1");
  if (!count.ok()) return count.status();
  AZTABLES_RETURN_IF_ERROR(count->BindText(1, account_).BindText(2, name).Run());
  return connection_->Execute(EntityRows::DropSql((*found)->id));
}

Status TableRows::SetPolicies(const TableRow& table, std::string_view policies) {
  auto statement = connection_->Prepare("UPDATE tables SET policies = ?2 WHERE id = ?1");
  if (!statement.ok()) return statement.status();
  return statement->BindInteger(1, table.id).BindText(2, policies).Run();
}

Result<std::string> TableRows::ServiceProperties() {
  auto statement = connection_->Prepare("SELECT properties FROM services WHERE account = ?1");
  if (!statement.ok()) return statement.status();
  const auto row = statement->BindText(1, account_).Step();
  if (!row.ok()) return row.status();
  return *row ? std::string(statement->Bytes(0)) : std::string();
}

Status TableRows::SetServiceProperties(std::string_view properties) {
  auto statement = connection_->Prepare(
      "INSERT INTO services VALUES(?1, ?2) ON CONFLICT(account) DO UPDATE SET properties = ?2");
  if (!statement.ok()) return statement.status();
  return statement->BindText(1, account_).BindText(2, properties).Run();
}

}  // namespace aztables
