// RememberedWrites: see remembered_writes.h. The key of a row is the beginning of its digest, so a
// write changes one page. The row kHorizon has the time up to which outcomes were forgotten because
// there were too many.
#include "service/store/remembered_writes.h"

#include <algorithm>

#include "base/crypto.h"
#include "service/storage_error.h"

namespace aztables {
namespace {

constexpr int64_t kRememberedMs = int64_t{10} * 60 * 1000;
constexpr int64_t kMost = 10'000;
constexpr int64_t kBetweenSweeps = 256;  // on average
constexpr int64_t kHorizon = 0;

int64_t KeyOf(std::string_view digest) {
  uint64_t key = 0;
  for (const char c : digest.substr(0, 8)) key = key << 8 | static_cast<unsigned char>(c);
  return static_cast<int64_t>(std::max<uint64_t>(key >> 1, 1));
}

}  // namespace

Result<std::string> RememberedWrites::DigestOf(std::string_view id,
                                               std::string_view fingerprint) const {
  auto digest = HmacSha256(account_, std::string(id) + "\n" + std::string(fingerprint));
  return digest.ok() ? std::move(digest) : ToStatus(errors::kOutOfMemory);
}

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
  const auto digest = DigestOf(id, fingerprint);
  if (!digest.ok()) return digest.status();
  StoreStatement statement = connection_->Prepare(
      "SELECT operations, content_type, body FROM writes WHERE key = ?1 AND digest = ?2");
  const auto row = statement.BindInteger(1, KeyOf(*digest)).BindBlob(2, *digest).Step();
  if (!row.ok()) return row.status();
  if (!*row) return std::optional<RememberedWrite>();
  return std::optional(RememberedWrite{.operations = statement.Integer(0),
                                       .content_type = std::string(statement.Bytes(1)),
                                       .body = std::string(statement.Bytes(2))});
}

Result<int64_t> RememberedWrites::Reach(int64_t now_ms) {
  const auto exists = Exists();
  if (!exists.ok()) return exists.status();
  if (!*exists) return kRememberedMs / 1000;
  StoreStatement statement = connection_->Prepare("SELECT made FROM writes WHERE key = ?1");
  const auto row = statement.BindInteger(1, kHorizon).Step();
  if (!row.ok()) return row.status();
  const int64_t horizon = *row ? statement.Integer(0) : now_ms - kRememberedMs;
  return std::clamp(now_ms - horizon, int64_t{0}, kRememberedMs) / 1000;
}

Status RememberedWrites::Add(std::string_view id, std::string_view fingerprint,
                             const RememberedWrite& write, int64_t now_ms) {
  const auto exists = Exists();
  if (!exists.ok()) return exists.status();
  if (!*exists) {
    AZTABLES_RETURN_IF_ERROR(connection_->Execute(
        "CREATE TABLE writes(key INTEGER PRIMARY KEY, digest BLOB NOT NULL, made INTEGER NOT NULL,"
        " operations INTEGER NOT NULL, content_type TEXT NOT NULL, body BLOB NOT NULL)"));
  }
  const auto digest = DigestOf(id, fingerprint);
  if (!digest.ok()) return digest.status();
  const int64_t key = KeyOf(*digest);
  StoreStatement insert = connection_->Prepare(
      "INSERT OR REPLACE INTO writes(key, digest, made, operations, content_type, body)"
      " VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
  insert.BindInteger(1, key).BindBlob(2, *digest).BindInteger(3, now_ms);
  insert.BindInteger(4, write.operations).BindText(5, write.content_type).BindBlob(6, write.body);
  AZTABLES_RETURN_IF_ERROR(insert.Run());
  return key % kBetweenSweeps == 0 ? Forget(now_ms) : Status();
}

Status RememberedWrites::Forget(int64_t now_ms) {
  AZTABLES_RETURN_IF_ERROR(connection_->Prepare("DELETE FROM writes WHERE made < ?1")
                               .BindInteger(1, now_ms - kRememberedMs)
                               .Run());
  StoreStatement surplus = connection_->Prepare(
      "SELECT made FROM writes WHERE key <> ?1 ORDER BY made DESC LIMIT 1 OFFSET ?2");
  const auto row = surplus.BindInteger(1, kHorizon).BindInteger(2, kMost).Step();
  if (!row.ok()) return row.status();
  if (!*row) return {};
  const int64_t horizon = surplus.Integer(0);
  AZTABLES_RETURN_IF_ERROR(
      connection_->Prepare("DELETE FROM writes WHERE made <= ?1").BindInteger(1, horizon).Run());
  return connection_
      ->Prepare(
          "INSERT OR REPLACE INTO writes(key, digest, made, operations, content_type, body)"
          " VALUES(?1, x'', ?2, 0, '', x'')")
      .BindInteger(1, kHorizon)
      .BindInteger(2, horizon)
      .Run();
}

}  // namespace aztables
