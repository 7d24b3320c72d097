// SQL on the host's own tables: see sql.h.
#include "vtab/sqlite/sql.h"

#include <memory>

#include "base/encoding.h"
#include "model/schema.h"

namespace aztables {
namespace {

Code CodeOf(int rc) {
  switch (rc & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Code::kBusy;
    case SQLITE_READONLY:
      return Code::kReadOnly;
    case SQLITE_INTERRUPT:
      return Code::kInterrupt;
    case SQLITE_AUTH:
      return Code::kAuth;
    case SQLITE_FULL:
      return Code::kFull;
    case SQLITE_NOMEM:
      return Code::kNoMemory;
    default:
      return Code::kError;
  }
}

// Not control characters, nor characters that change the direction of a text or end a line.
bool IsShownAsItIs(char32_t c) {
  const bool control = c < 0x20 || (c >= 0x7F && c <= 0x9F);
  const bool format = (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
                      (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || c == 0x061C;
  return !control && !format;
}

}  // namespace

Status FailureOf(sqlite3* db, int rc) { return {CodeOf(rc), sqlite3_errmsg(db)}; }

Status RunSql(sqlite3* db, const std::string& sql, const std::vector<std::string>& parameters,
              const std::function<void(sqlite3_stmt*)>& row) {
  const auto bind = [&](sqlite3_stmt* statement) {
    int number = 0;
    for (const std::string& parameter : parameters) {
      sqlite3_bind_text(statement, ++number, parameter.data(), static_cast<int>(parameter.size()),
                        SQLITE_STATIC);
    }
    return SQLITE_OK;
  };
  return RunSqlWith(db, sql, bind, row);
}

Status RunSqlWith(sqlite3* db, const std::string& sql,
                  const std::function<int(sqlite3_stmt*)>& bind,
                  const std::function<void(sqlite3_stmt*)>& row) {
  sqlite3_stmt* prepared = nullptr;
  int rc = sqlite3_prepare_v2(db, sql.c_str(), -1, &prepared, nullptr);
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(
      prepared, [](sqlite3_stmt* s) { return sqlite3_finalize(s); });
  if (rc == SQLITE_OK) rc = bind(prepared);
  if (rc != SQLITE_OK) return FailureOf(db, rc);
  while ((rc = sqlite3_step(prepared)) == SQLITE_ROW) {
    if (row) row(prepared);
  }
  return rc == SQLITE_DONE ? Status() : FailureOf(db, rc);
}

bool IsTable(sqlite3* db, const char* schema, const std::string& name) {
  return sqlite3_table_column_metadata(db, schema, name.c_str(), nullptr, nullptr, nullptr, nullptr,
                                       nullptr, nullptr) == SQLITE_OK;
}

Status VisitDatabases(sqlite3* db, const std::function<void(const char*)>& visit) {
  constexpr int kHasDbName = 3'039'000;  // the version that introduced sqlite3_db_name()
  if (sqlite3_libversion_number() >= kHasDbName) {
    for (int i = 0; const char* const name = sqlite3_db_name(db, i); ++i) visit(name);
    return {};
  }
  return RunSql(db, "PRAGMA database_list", {},
                [&](sqlite3_stmt* row) { visit(ColumnText(row, 1).c_str()); });
}

Result<std::vector<std::string>> DatabaseNames(sqlite3* db) {
  std::vector<std::string> names;
  AZTABLES_RETURN_IF_ERROR(VisitDatabases(db, [&](const char* name) { names.emplace_back(name); }));
  return names;
}

std::string SqlLiteral(std::string_view text) {
  std::string literal = "'";
  if (!IsValidUtf8(text)) {
    literal = "CAST(x'";
    AppendHex(literal, text);
    return literal + "' AS TEXT)";
  }
  for (size_t pos = 0; pos < text.size();) {
    const size_t start = pos;
    const char32_t c = NextCodePoint(text, pos);
    if (!IsShownAsItIs(c)) {
      literal += "' || char(" + std::to_string(static_cast<uint32_t>(c)) + ") || '";
    } else {
      literal += c == '\'' ? "''" : text.substr(start, pos - start);
    }
  }
  return literal + "'";
}

std::string SqlIdentifier(std::string_view name) {
  bool plain = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
  for (const char c : name) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    plain = plain && (word || c == '_');
  }
  plain = plain && sqlite3_keyword_check(name.data(), static_cast<int>(name.size())) == 0;
  return plain ? std::string(name) : QuoteIdentifier(name);
}

std::string ColumnText(sqlite3_stmt* statement, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  if (text == nullptr) return {};
  return std::string(text, static_cast<size_t>(sqlite3_column_bytes(statement, column)));
}

}  // namespace aztables
