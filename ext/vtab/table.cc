// Table: functions that its callbacks share; see table.h.
#include "vtab/table.h"

#include <cstring>

#include "base/encoding.h"
#include "base/secret.h"
#include "schema/inference.h"
#include "table/service_error.h"
#include "vtab/sqlite/sql.h"

namespace aztables {

std::string Table::SqlName() const {
  if (schema_name == "main") {
    // The bare name would mean a table of the same name in temp.
    return (IsTable(session->db(), "temp", name) ? "main." : "") + SqlIdentifier(name);
  }
  // "temp" is an SQL keyword that needs no quotes here.
  const std::string schema = schema_name == "temp" ? schema_name : SqlIdentifier(schema_name);
  return schema + "." + SqlIdentifier(name);
}

std::string Table::DeclareAny(int column) const {
  const std::string any = SqlIdentifier(declaration.schema.PropertyAt(column)->name) + " ANY";
  return "declare infer=" + std::to_string(most_inferred) + ", " + any + " (" + any +
         " alone infers no other column)";
}

namespace {

// Whether the database is an image in memory: sqlite3_deserialize() puts one in place of another
// database.
bool IsImage(sqlite3* db, const char* schema) {
  sqlite3_vfs* vfs = nullptr;
  return sqlite3_file_control(db, schema, SQLITE_FCNTL_VFS_POINTER, &vfs) == SQLITE_OK &&
         vfs != nullptr && std::strcmp(vfs->zName, "memdb") == 0;
}

// Identifies the schema's current database: by its file, or by the address at which SQLite has
// opened it.
std::string NameOfDatabase(sqlite3* db, const char* schema) {
  const char* const file = sqlite3_db_filename(db, schema);
  if (file != nullptr && *file != '\0' && !IsImage(db, schema)) return file;
  sqlite3_file* opened = nullptr;
  const int rc = sqlite3_file_control(db, schema, SQLITE_FCNTL_FILE_POINTER, &opened);
  return rc == SQLITE_OK ? std::to_string(reinterpret_cast<uintptr_t>(opened)) : "";
}

}  // namespace

std::string Table::Key() const {
  return database + '\n' + ToLowerAscii(schema_name) + '\n' + ToLowerAscii(name);
}

void Table::FindDatabase(bool create) {
  database = NameOfDatabase(session->db(), schema_name.c_str());
  // SQLite opens an image at the address of the image before it: the two cannot be distinguished.
  if (create || IsImage(session->db(), schema_name.c_str())) session->overrides().Forget(Key());
}

void Table::ApplyOverrides() {
  options = session->overrides().Apply(Key(), arguments, declaration.options);
}

CallOptions Table::Call(const StatementTracker::Statement& statement) const {
  CallOptions call = Session::Options(statement);
  static_cast<RequestOptions&>(call) = options;
  call.budget.limits = options.limits;
  return call;
}

ReadRules Table::Rules() const {
  ReadRules rules;
  rules.who = "table " + name;
  rules.Tighten(options, SqlName());
  return rules;
}

Status Table::Named(const Status& status) const { return status.In("table " + name); }

Status Table::OfRead(const Status& status) const {
  // Each argument ends with a comma.
  const std::string_view word =
      TrimBlanks(std::string_view(arguments).substr(0, arguments.find(',')));
  const bool bare = declared == 1 && !options.table_given && IsPlainWord(word) &&
                    arguments.find(',') + 1 == arguments.size();
  if (status.failure().code != "TableNotFound" || !bare) return status;
  return status.WithAdvice(
      "; " + std::string(word) +
      " declares a column; if it is the remote table, write table=" + std::string(word));
}

void DeleteTable(Table* table) {
  table->session->tables().erase(table);
  delete table;
}

Status StoreInference(Table& table, const Inference& inference) {
  const auto& columns = inference.schema.properties;
  const auto first = columns.begin() + static_cast<std::ptrdiff_t>(table.declared);
  if (const Status kept = table.Shadow().Write({first, columns.end()}); !kept.ok()) {
    return kept.In("its columns cannot be kept in " + table.Shadow().name());
  }
  const std::vector<std::string> unshown = inference.Unshown();
  for (const std::string& line : unshown) {
    sqlite3_log(SQLITE_NOTICE, "aztables: table %s: no column for %s", table.name.c_str(),
                line.c_str());
  }
  if (!unshown.empty()) {  // a declared column alone ends the inference
    sqlite3_log(SQLITE_NOTICE,
                "aztables: table %s: to declare one and keep the inferred columns, add infer=%d",
                table.name.c_str(), static_cast<int>(table.most_inferred));
  }
  return {};
}

}  // namespace aztables
