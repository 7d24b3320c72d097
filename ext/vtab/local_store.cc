// Local stores: see local_store.h.
#include "local_store.h"

#include <sys/stat.h>

#include <filesystem>

namespace aztables {
namespace {

const char* TextAt(sqlite3_stmt* statement, int column) {
  return reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
}

// An error if `file`, that of the database `name`, is the file `store`.
Status CheckOne(const struct stat& store, const std::string& path, const char* name,
                const char* file) {
  struct stat database {};
  if (file == nullptr || *file == 0 || stat(file, &database) != 0 ||
      database.st_dev != store.st_dev || database.st_ino != store.st_ino) {
    return {};
  }
  return Status::Error("the store " + path + " is the file of the database '" + name +
                       "' of this connection: name another file");
}

}  // namespace

std::string ResolveStorePath(const std::string& path) {
  if (path == ":memory:") return path;
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  if (error) return path;
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(absolute, error);
  return error ? absolute.string() : canonical.string();
}

Status CheckStoreIsNoDatabase(sqlite3* db, const std::string& path) {
  struct stat store {};
  if (path == ":memory:" || stat(path.c_str(), &store) != 0) return {};
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db, "PRAGMA database_list", -1, &statement, nullptr) != SQLITE_OK) {
    // An authorizer may forbid the list; the main database needs none.
    return CheckOne(store, path, "main", sqlite3_db_filename(db, "main"));
  }
  Status status;
  while (status.ok() && sqlite3_step(statement) == SQLITE_ROW) {
    status = CheckOne(store, path, TextAt(statement, 1), TextAt(statement, 2));
  }
  sqlite3_finalize(statement);
  return status;
}

}  // namespace aztables
