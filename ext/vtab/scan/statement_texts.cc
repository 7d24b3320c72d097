// StatementTexts: see statement_texts.h.
#include "vtab/scan/statement_texts.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/encoding.h"
#include "model/schema.h"
#include "vtab/scan/statement_shape.h"
#include "vtab/sqlite/sql.h"

namespace aztables {
namespace {

// Calls `object` with name and text of each object of one of the types ('view', 'trigger') in all
// databases. `object` compares with SQLite's C functions, because the
// application may have redefined LIKE.
Status ForEachObject(sqlite3* db, const std::string& types,
                     const std::function<void(std::string_view, std::string_view)>& object) {
  const auto databases = DatabaseNames(db);
  if (!databases.ok()) return databases.status();
  for (const std::string& database : *databases) {
    AZTABLES_RETURN_IF_ERROR(
        RunSql(db,
               "SELECT name, sql FROM " + QuoteIdentifier(database) +
                   ".sqlite_schema WHERE type IN (" + types + ")",
               {}, [&](sqlite3_stmt* row) { object(ColumnText(row, 0), ColumnText(row, 1)); }));
  }
  return {};
}

// Whether a statement that may be reading has the word. The text of a view or a trigger is not a
// statement's text, so those texts count too. An unknown text counts as having the word.
bool MayMention(Session& session, const char* word) {
  const std::string pattern = "%" + std::string(word) + "%";
  const auto mentions = [&](std::string_view text) {
    return sqlite3_strlike(pattern.c_str(), std::string(text).c_str(), 0) == 0;
  };
  const auto texts = session.statements().ReaderTexts();
  if (texts.empty() || std::any_of(texts.begin(), texts.end(), mentions)) return true;
  bool mentioned = false;
  const Status read = ForEachObject(
      session.db(), "'view', 'trigger'",
      [&](std::string_view, std::string_view sql) { mentioned = mentioned || mentions(sql); });
  return mentioned || !read.ok();
}

// Whether every statement that may be reading is plain. A view has a text of its own.
bool ArePlain(Session& session) {
  std::vector<std::string> tables;
  for (const std::string& text : session.statements().ReaderTexts()) {
    auto table = PlainTable(text);
    if (!table) return false;
    tables.push_back(std::move(*table));
  }
  bool viewed = tables.empty();
  const Status read =
      ForEachObject(session.db(), "'view'", [&](std::string_view view, std::string_view) {
        viewed = viewed || std::any_of(tables.begin(), tables.end(), [&](const std::string& table) {
                   return EqualsIgnoreCase(table, view);
                 });
      });
  return !viewed && read.ok();
}

template <typename Ask>
bool Once(std::optional<bool>& answer, Ask ask) {
  if (!answer) answer = ask();
  return *answer;
}

}  // namespace

bool StatementTexts::IsPlain(Session& session) {
  return Once(plain_, [&] { return ArePlain(session); });
}

bool StatementTexts::MayJoinOuter(Session& session) {
  return Once(joins_, [&] { return MayMention(session, "join"); });
}

bool StatementTexts::MayCollate(Session& session) {
  return Once(collates_, [&] { return MayMention(session, "collate"); });
}

}  // namespace aztables
