// Local stores: see local_store.h.
#include "local_store.h"

#include <sys/stat.h>

#include <filesystem>

namespace aztables {

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
    return Status::Error("the databases of this connection cannot be listed");
  }
  Status status;
  while (status.ok() && sqlite3_step(statement) == SQLITE_ROW) {
    const auto* const file = reinterpret_cast<const char*>(sqlite3_column_text(statement, 2));
    struct stat database {};
    if (file == nullptr || *file == 0 || stat(file, &database) != 0) continue;
    if (database.st_dev != store.st_dev || database.st_ino != store.st_ino) continue;
    const auto* const name = reinterpret_cast<const char*>(sqlite3_column_text(statement, 1));
    status = Status::Error("the store " + path + " is the file of the database '" +
                           std::string(name) + "' of this connection: name another file");
  }
  sqlite3_finalize(statement);
  return status;
}

}  // namespace aztables
