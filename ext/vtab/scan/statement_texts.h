// StatementTexts: facts in the text of a statement that SQLite does not show to a virtual table. If
// a text has a word for another reason, less is sent to the service. A cursor determines each fact
// at most once in its life.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <optional>

#include "vtab/session/session.h"

namespace aztables {

class StatementTexts {
 public:
  // Whether all statements that may be reading are plain (statement_shape.h). Then no value that a
  // column is compared with has an affinity.
  bool IsPlain(Session& session);
  // Whether there may be an outer join: SQLite offers the IS NOT NULL of its ON for the left table
  // as if it were of WHERE.
  bool MayJoinOuter(Session& session);
  // Whether a list may be compared by another collation than its column's. SQLite does not show the
  // collation of `x IN (SELECT y COLLATE NOCASE ...)`.
  bool MayCollate(Session& session);

 private:
  std::optional<bool> plain_;
  std::optional<bool> joins_;
  std::optional<bool> collates_;
};

}  // namespace aztables
