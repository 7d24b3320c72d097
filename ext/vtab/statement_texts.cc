// What the texts of statements tell: see statement_texts.h.
#include "statement_texts.h"

#include <algorithm>
#include <iterator>

#include "aztables/model/schema.h"
#include "sql.h"

namespace aztables {
namespace {

// A text that cannot be read may have the word.
bool SchemaMentionsJoin(sqlite3* db) {
  const auto databases = DatabaseNames(db);
  if (!databases.ok()) return true;
  return std::any_of(databases->begin(), databases->end(), [&](const std::string& database) {
    bool mentioned = false;
    const Status read = RunSql(db,
                               "SELECT sql FROM " + QuoteIdentifier(database) +
                                   ".sqlite_schema WHERE type IN ('view', 'trigger')",
                               {}, [&](sqlite3_stmt* row) {
                                 // Not by LIKE, which the application may have made another.
                                 mentioned |=
                                     sqlite3_strlike("%join%", ColumnText(row, 0).c_str(), 0) == 0;
                               });
    return mentioned || !read.ok();
  });
}

}  // namespace

bool HasPlainParameters(Session& session) {
  constexpr const char* kWords[] = {"cast", "union", "values", "except", "intersect"};
  return std::none_of(std::begin(kWords), std::end(kWords),
                      [&](const char* word) { return session.statements().AnyMentions(word); });
}

bool MayJoinOuter(Session& session) {
  return session.statements().AnyMentions("join") || SchemaMentionsJoin(session.db());
}

}  // namespace aztables
