// StatementTexts: what the text of a statement tells that SQLite does not tell a virtual table. A
// text may have a word for another reason: then less is sent to the service. Asked of a cursor, at
// most once in its life.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <optional>

#include "session.h"

namespace aztables {

class StatementTexts {
 public:
  // Whether what a parameter was bound to is compared as it is. A CAST around it gives it an
  // affinity, and so do a column of a compound SELECT, one of a row that a trigger is for, and one
  // of another table that is equal to it: SQLite puts the parameter in its place.
  bool HasPlainParameters(Session& session);
  // Whether there may be an outer join: SQLite offers the IS NOT NULL of its ON for the left table
  // as if it were of WHERE.
  bool MayJoinOuter(Session& session);
  // Whether a list may be compared by another collation than its column's: SQLite does not tell
  // that of `x IN (SELECT y COLLATE NOCASE ...)`.
  bool MayCollate(Session& session);

 private:
  std::optional<bool> plain_;
  std::optional<bool> joins_;
  std::optional<bool> collates_;
};

}  // namespace aztables
