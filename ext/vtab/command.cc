// Commands: INSERT INTO t(_command) VALUES('...'). 'option=value' sets an option for this database
// connection. 'reset' restores the declared options. 'refresh' infers the columns again. A command
// writes nothing to the remote table. It is not part of the transaction, except for the shadow
// table that 'refresh' changes.
#include "base/encoding.h"
#include "base/secret.h"
#include "schema/catalog.h"
#include "schema/inference.h"
#include "vtab/scan/read_sample.h"
#include "vtab/sqlite/sql.h"
#include "vtab/table.h"

namespace aztables {
namespace {

// Options that only CREATE VIRTUAL TABLE sets.
bool IsFixed(std::string_view option) {
  return option == "table" || option == "connection" || option == "infer";
}

// `kind`: "option" for a text NAME=VALUE, else "command".
Status NoSuchCommand(std::string_view kind, std::string_view name) {
  std::string options;
  for (const CatalogEntry& entry : Catalog()) {
    if (entry.kind != "option" || IsFixed(entry.name)) continue;
    if (!options.empty()) options += ", ";
    options += entry.name;
  }
  return Status::Error(
      (IsPlainWord(name) ? "there is no " + std::string(kind) + " '" + std::string(name) + "'"
                         : "there is no such " + std::string(kind)) +
      "; a command is 'refresh', 'reset' or 'option=value', with an option of: " + options);
}

Status SetOverride(Table& table, const std::string& name, const std::string& value) {
  if (IsFixed(name)) {
    return Status::Error("option " + name + " is fixed by CREATE VIRTUAL TABLE");
  }
  TableOptions changed = table.options;
  if (const Status set = SetOption(name, value, changed); !set.ok()) {
    const bool several = value.find(',') != std::string::npos;
    return several ? set.Noting("; a command sets one option") : set;
  }
  AZTABLES_RETURN_IF_ERROR(CheckTogether(changed));
  table.session->overrides().Set(table.Key(), name, value);
  table.ApplyOverrides();
  return {};
}

bool IsDefensive(sqlite3* db) {
  int defensive = 0;
  return sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, -1, &defensive) == SQLITE_OK &&
         defensive != 0;
}

// Changes the schema version of the table's database, so that every connection reconnects its
// virtual tables.
Status MoveSchemaVersion(const Table& table) {
  sqlite3* const db = table.session->db();
  const std::string pragma = "PRAGMA " + QuoteIdentifier(table.schema_name) + ".schema_version";
  int64_t version = 0;
  AZTABLES_RETURN_IF_ERROR(
      RunSql(db, pragma, {}, [&](sqlite3_stmt* row) { version = sqlite3_column_int64(row, 0); }));
  // A signed 32-bit number.
  const int64_t next = version >= INT32_MAX ? 0 : version + 1;
  return RunSql(db, pragma + " = " + std::to_string(next));
}

Status Refresh(Table& table) {
  if (!table.broken.ok() && !table.shadow_broken) return table.broken;
  if (table.most_inferred == 0) {
    return Status::Error(
        "there is nothing to refresh: its columns are declared, not inferred (see option infer)");
  }
  auto sample =
      ReadSample(*table.session, table.options.connection, table.options.table, table.Call());
  if (!sample.ok()) return sample.status();
  const auto& columns = table.declaration.schema.properties;
  const auto first_inferred = columns.begin() + static_cast<std::ptrdiff_t>(table.declared);
  Schema declared;
  declared.properties.assign(columns.begin(), first_inferred);
  const Inference inference = InferColumns(std::move(*sample), declared,
                                           {first_inferred, columns.end()}, table.most_inferred);
  // This object keeps the columns that SQLite knows.
  AZTABLES_RETURN_IF_ERROR(StoreInference(table, inference));
  if (IsDefensive(table.session->db())) {
    sqlite3_log(SQLITE_WARNING,
                "aztables: table %s was refreshed; this database connection is defensive: open it "
                "and all others again to see the columns",
                table.name.c_str());
    return {};
  }
  return MoveSchemaVersion(table);
}

}  // namespace

Status RunTableCommand(Table& table, std::string_view command) {
  const std::string_view text = TrimBlanks(command);
  if (EqualsIgnoreCase(text, "refresh")) return Refresh(table);
  AZTABLES_RETURN_IF_ERROR(table.broken);
  if (EqualsIgnoreCase(text, "reset")) {
    table.session->overrides().Reset(table.Key());
    table.ApplyOverrides();
    return {};
  }
  const auto [name, value] = SplitOption(text);
  if (FindInCatalog("option", name) != nullptr) return SetOverride(table, name, value);
  if (FindInCatalog("command", name) != nullptr) {
    return Status::Error("the command '" + name + "' takes no value");
  }
  const bool is_word = name.empty() || MayBeSecret(text);
  return is_word ? NoSuchCommand("command", text) : NoSuchCommand("option", name);
}

}  // namespace aztables
