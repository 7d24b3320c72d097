// Local stores: see local_store.h.
#include "vtab/session/local_store.h"

#include <sys/stat.h>

#include <cerrno>

#include "base/file_path.h"
#include "vtab/sqlite/sql.h"

namespace aztables {
namespace {

// A path that cannot be read counts as a different file: opening it returns the reason.
bool IsSameFile(const std::string& a, const std::string& b) {
  if (a == b) return true;
  struct stat one {};
  struct stat other {};
  return stat(a.c_str(), &one) == 0 && stat(b.c_str(), &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

// An error if the store is `file`, the file of the database `name`, or one of the files that SQLite
// adds to it.
Status CheckOne(const std::string& path, const std::string& name, const char* file) {
  if (file == nullptr || *file == 0) return {};
  bool same = false;
  for (const char* end : {"", "-journal", "-wal", "-shm"}) {
    same = same || IsSameFile(path, std::string(file) + end);
  }
  if (!same) return {};
  return Status::Error("the store " + path + " is a file of the database '" + name +
                       "' of this connection: name another file");
}

}  // namespace

std::string ResolveStorePath(const std::string& path) {
  return path == ":memory:" ? path : ResolvePath(path);
}

bool IsNewStore(const std::string& path) {
  struct stat file {};
  return path != ":memory:" && lstat(path.c_str(), &file) != 0 && errno == ENOENT;
}

Status CheckStoreIsNoDatabase(sqlite3* db, const std::string& path) {
  if (path == ":memory:") return {};
  auto databases = DatabaseNames(db);
  // An authorizer may forbid the list; the main database does not need it.
  if (!databases.ok()) databases = std::vector<std::string>{"main"};
  for (const std::string& name : *databases) {
    AZTABLES_RETURN_IF_ERROR(CheckOne(path, name, sqlite3_db_filename(db, name.c_str())));
  }
  return {};
}

}  // namespace aztables
