// Store connections: see store_connection.h.
#include "service/store/store_connection.h"

#include <algorithm>
#include <thread>

namespace aztables {
namespace {

constexpr int64_t kApplicationId = 0x417A5462;  // "AzTb"
constexpr int64_t kSchemaVersion = 1;
constexpr size_t kMostStatements = 200;

// 16 KiB pages suit clustered rows of 1 KiB; every commit is on the disk when it returns.
constexpr std::string_view kNewStore = "PRAGMA page_size = 16384";
constexpr std::string_view kJournal = "PRAGMA journal_mode = WAL";
constexpr std::string_view kPragmas =
    "PRAGMA synchronous = FULL; PRAGMA cache_size = -16384; PRAGMA trusted_schema = OFF;"
    "PRAGMA temp_store = MEMORY;";  // the journals of savepoints, too
constexpr std::string_view kSchema =
    "CREATE TABLE tables(id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL,"
    " name TEXT NOT NULL COLLATE NOCASE, policies TEXT NOT NULL DEFAULT '',"
    " generation INTEGER NOT NULL, UNIQUE(account, name));"
    "CREATE TABLE deleted(account TEXT, name TEXT COLLATE NOCASE, generations INTEGER NOT NULL,"
    " PRIMARY KEY(account, name)) WITHOUT ROWID;"
    "CREATE TABLE services(account TEXT PRIMARY KEY, properties TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE clock(ticks INTEGER NOT NULL);"
    "INSERT INTO clock VALUES(0);";

Result<int64_t> ReadNumber(StoreConnection& connection, std::string_view sql) {
  StoreStatement statement = connection.Prepare(sql);
  const auto row = statement.Step();
  if (!row.ok()) return row.status();
  return *row ? statement.Integer(0) : 0;
}

// The VFS with file locks; a host may have set another default.
const char* LockingVfs() { return sqlite3_vfs_find("unix") != nullptr ? "unix" : nullptr; }

}  // namespace

StoreStatement::~StoreStatement() {
  if (kept_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
  kept_->in_use = false;
}

StoreStatement& StoreStatement::BindInteger(int index, int64_t value) {
  if (failure_.ok()) sqlite3_bind_int64(statement_, index, value);
  return *this;
}

StoreStatement& StoreStatement::BindText(int index, std::string_view text) {
  if (!failure_.ok()) return *this;
  sqlite3_bind_text64(statement_, index, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

StoreStatement& StoreStatement::BindBlob(int index, std::string_view bytes) {
  if (!failure_.ok()) return *this;
  // A null pointer would bind NULL.
  sqlite3_bind_blob64(statement_, index, bytes.empty() ? "" : bytes.data(), bytes.size(),
                      SQLITE_STATIC);
  return *this;
}

Result<bool> StoreStatement::Step() {
  if (!failure_.ok()) return failure_;
  const int rc = sqlite3_step(statement_);
  if (rc == SQLITE_ROW) return true;
  if (rc == SQLITE_DONE) return false;
  error_ = sqlite3_extended_errcode(db_);
  return StoreFailure(db_, rc);
}

Status StoreStatement::Run() {
  const auto row = Step();
  return row.ok() ? Status() : row.status();
}

int64_t StoreStatement::Integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::string_view StoreStatement::Bytes(int column) const {
  const void* const bytes = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return bytes == nullptr
             ? std::string_view()
             : std::string_view(static_cast<const char*>(bytes), static_cast<size_t>(size));
}

Result<std::unique_ptr<StoreConnection>> StoreConnection::Open(const std::string& path, bool create,
                                                               const Cancel& cancel) {
  std::unique_ptr<StoreConnection> connection(new StoreConnection);
  connection->path_ = path;
  const bool in_memory = path == ":memory:";
  std::optional<FileId> file;
  if (!in_memory) {
    auto found = FindStoreFile(path);
    if (!found.ok()) return found.status();
    file = *found;
    if (!create && !file) {
      return Status(Code::kNotFound, "the store " + path + " does not exist");
    }
  }
  if (!in_memory && !file && create) MakePrivateFile(path);
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE |
                    (create || in_memory ? SQLITE_OPEN_CREATE : 0);
  if (const int rc = sqlite3_open_v2(path.c_str(), &connection->db_, flags, LockingVfs());
      rc != SQLITE_OK) {
    // If SQLite cannot create a file, it tries to read it and reports that failure instead.
    if (!in_memory && !file) AZTABLES_RETURN_IF_ERROR(CheckFolder(path));
    return StoreFailure(connection->db_, rc);
  }
  sqlite3_extended_result_codes(connection->db_, 1);
  sqlite3_busy_handler(connection->db_, Busy, connection.get());
  connection->SetCancel(&cancel);
  Status configured = connection->Configure(create || in_memory);
  connection->SetCancel(nullptr);
  if (!configured.ok()) return configured;
  if (!in_memory) {
    // The ID from before the open reveals a file that was replaced during the open.
    connection->file_ = file ? file : IdOfFile(path);
  }
  return connection;
}

StoreConnection::~StoreConnection() {
  if (db_ == nullptr) return;
  for (const auto& [sql, kept] : statements_) sqlite3_finalize(kept.statement);
  sqlite3_close(db_);
}

Status StoreConnection::Configure(bool create) {
  // In one transaction, since another process may create the schema at the same time.
  AZTABLES_RETURN_IF_ERROR(Execute("BEGIN"));
  bool empty = false;
  Status own = CheckOwnStore(empty);
  const Status ended = Execute("ROLLBACK");
  if (!own.ok()) return own;
  if (!ended.ok()) return ended;
  if (empty && !create) {
    return {Code::kNotFound, "the store " + path_ + " is empty"};
  }
  if (empty) AZTABLES_RETURN_IF_ERROR(CreateSchema());
  AZTABLES_RETURN_IF_ERROR(CheckJournal());
  return Execute(kPragmas);
}

Status StoreConnection::CheckOwnStore(bool& empty) {
  const auto id = ReadNumber(*this, "PRAGMA application_id");
  if (!id.ok()) return id.status();
  const auto objects = ReadNumber(*this, "SELECT count(*) FROM sqlite_schema");
  if (!objects.ok()) return objects.status();
  empty = *id == 0 && *objects == 0;
  if (empty) return {};
  if (*id != kApplicationId) {
    return Status::Error("it is a SQLite database, but not a table store; name another file");
  }
  const auto version = ReadNumber(*this, "PRAGMA user_version");
  if (!version.ok()) return version.status();
  if (*version > kSchemaVersion) {
    return Status::Error("it was written by a newer version of aztables");
  }
  return {};
}

// Only WAL lets readers run during a write and flushes once per commit.
Status StoreConnection::CheckJournal() {
  if (path_ == ":memory:") return {};
  StoreStatement statement = Prepare(kJournal);
  const auto row = statement.Step();
  if (!row.ok()) return row.status();
  if (*row && statement.Bytes(0) == "wal") return {};
  return Status::Error("no write-ahead log can be kept for it here");
}

// Several processes may do this at once: one creates the schema, the others find it.
Status StoreConnection::CreateSchema() {
  AZTABLES_RETURN_IF_ERROR(Execute(kNewStore));
  // SQLite does not call the busy handler while it changes the journal mode.
  for (int times = 0; path_ != ":memory:"; ++times) {
    Status changed = Execute(kJournal);
    if (changed.ok()) break;
    if (changed.code() != Code::kBusy || Busy(this, times) == 0) return changed;
  }
  AZTABLES_RETURN_IF_ERROR(Execute("BEGIN IMMEDIATE"));
  bool empty = false;
  Status made = CheckOwnStore(empty);
  if (made.ok() && empty) {
    made =
        Execute(std::string(kSchema) + "PRAGMA application_id = " + std::to_string(kApplicationId) +
                ";PRAGMA user_version = " + std::to_string(kSchemaVersion));
  }
  if (made.ok()) made = Execute("COMMIT");
  if (!made.ok()) sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
  return made;
}

StoreStatement StoreConnection::Prepare(std::string_view sql) {
  if (const auto known = statements_.find(sql); known != statements_.end()) {
    return StoreStatement(db_, &known->second);
  }
  if (statements_.size() >= kMostStatements) {
    std::erase_if(statements_, [](const auto& entry) {
      if (entry.second.in_use) return false;
      sqlite3_finalize(entry.second.statement);
      return true;
    });
  }
  const auto kept = statements_.try_emplace(std::string(sql)).first;
  const int rc = sqlite3_prepare_v3(db_, sql.data(), static_cast<int>(sql.size()),
                                    SQLITE_PREPARE_PERSISTENT, &kept->second.statement, nullptr);
  if (rc == SQLITE_OK) return StoreStatement(db_, &kept->second);
  statements_.erase(kept);
  return StoreStatement(StoreFailure(db_, rc));
}

Status StoreConnection::Execute(std::string_view sql) {
  const int rc = sqlite3_exec(db_, std::string(sql).c_str(), nullptr, nullptr, nullptr);
  return rc == SQLITE_OK ? Status() : StoreFailure(db_, rc);
}

void StoreConnection::SetCancel(const Cancel* cancel) {
  cancel_ = cancel;
  wait_ends_ = std::chrono::steady_clock::now() + kLongestWait;
}

int StoreConnection::Busy(void* self, int times) {
  const auto* const connection = static_cast<StoreConnection*>(self);
  if (connection->cancel_ != nullptr && !connection->cancel_->Check().ok()) return 0;
  if (std::chrono::steady_clock::now() >= connection->wait_ends_) return 0;
  std::this_thread::sleep_for(std::chrono::milliseconds(std::min(1 + times, 20)));
  return 1;
}

void StoreConnection::Settle() {
  SetCancel(nullptr);
  if (sqlite3_get_autocommit(db_) == 0) sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
}

}  // namespace aztables
