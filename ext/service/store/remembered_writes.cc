// RememberedWrites: see remembered_writes.h.
#include "service/store/remembered_writes.h"

#include <algorithm>

namespace aztables {
namespace {

constexpr int64_t kMostMs = int64_t{10} * 60 * 1000;
constexpr int64_t kMost = 10'000;
constexpr int64_t kBetweenSweeps = 256;

}  // namespace

// Stores of earlier versions have no such table until the first write.
Result<bool> RememberedWrites::Exists() {
  return connection_
      ->Prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'writes'")
      .Step();
}

Result<std::optional<RememberedWrite>> RememberedWrites::Find(std::string_view id,
                                                              std::string_view fingerprint) {
  const auto exists = Exists();
  if (!exists.ok()) return exists.status();
  if (!*exists) return std::optional<RememberedWrite>();
  StoreStatement statement = connection_->Prepare(
      "SELECT operations, content_type, body FROM writes"
      " WHERE account = ?1 AND id = ?2 AND fingerprint = ?3");
  const auto row = statement.BindText(1, account_).BindText(2, id).BindBlob(3, fingerprint).Step();
  if (!row.ok()) return row.status();
  if (!*row) return std::optional<RememberedWrite>();
  return std::optional(RememberedWrite{.operations = statement.Integer(0),
                                       .content_type = std::string(statement.Bytes(1)),
                                       .body = std::string(statement.Bytes(2))});
}

Result<int64_t> RememberedWrites::Reach(int64_t now_ms) {
  const auto exists = Exists();
  if (!exists.ok()) return exists.status();
  if (!*exists) return kMostMs / 1000;
  StoreStatement statement = connection_->Prepare(
      "SELECT made, (SELECT max(number) FROM writes) - number FROM writes ORDER BY number LIMIT 1");
  const auto row = statement.Step();
  if (!row.ok()) return row.status();
  const bool full = *row && statement.Integer(1) >= kMost - kBetweenSweeps;
  if (!full) return kMostMs / 1000;
  return std::clamp(now_ms - statement.Integer(0), int64_t{0}, kMostMs) / 1000;
}

Status RememberedWrites::Add(std::string_view id, std::string_view fingerprint,
                             const RememberedWrite& write, int64_t now_ms) {
  const auto exists = Exists();
  if (!exists.ok()) return exists.status();
  if (!*exists) {
    AZTABLES_RETURN_IF_ERROR(connection_->Execute(
        "CREATE TABLE writes(number INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL,"
        " id TEXT NOT NULL, fingerprint BLOB NOT NULL, made INTEGER NOT NULL,"
        " operations INTEGER NOT NULL, content_type TEXT NOT NULL, body BLOB NOT NULL,"
        " UNIQUE(account, id))"));
  }
  StoreStatement insert = connection_->Prepare(
      "INSERT OR REPLACE INTO writes(account, id, fingerprint, made, operations, content_type, "
      "body)"
      " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING number");
  insert.BindText(1, account_).BindText(2, id).BindBlob(3, fingerprint).BindInteger(4, now_ms);
  insert.BindInteger(5, write.operations).BindText(6, write.content_type).BindBlob(7, write.body);
  const auto row = insert.Step();
  if (!row.ok()) return row.status();
  const int64_t number = insert.Integer(0);
  AZTABLES_RETURN_IF_ERROR(insert.Run());  // ends the statement
  return number % kBetweenSweeps == 0 ? Forget(number, now_ms) : Status();
}

Status RememberedWrites::Forget(int64_t last, int64_t now_ms) {
  return connection_
      ->Prepare(
          "DELETE FROM writes WHERE number <= ?1 OR number < (SELECT number FROM writes"
          " WHERE made >= ?2 ORDER BY number LIMIT 1)")
      .BindInteger(1, last - kMost)
      .BindInteger(2, now_ms - kMostMs)
      .Run();
}

}  // namespace aztables
