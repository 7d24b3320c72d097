// DirectUse: what a statement's own text requests: the functions that it calls and the table that
// it changes. A database file from others can hold SQL in views, triggers, CHECKs and the arguments
// of other modules. It cannot put words into the statement that the user runs.
//
// Some modules (FTS5, R-Tree, pragma tables) and VACUUM run statements of their own within the
// user's. The file has chosen names in these statements or their whole texts. So every executing
// statement must request the use: StatementTracker::AllExecuting(). A function name in quotes and a
// table name in single quotes do not count.
//
// Thread rule: pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace aztables {

// Whether the statement calls the function: its bare name, then "(", in an expression that the
// statement evaluates. REQUIRES: `function` is in lower case
bool CallsFunction(std::string_view sql, std::string_view function);

// A table as named in a statement.
struct NamedTable {
  std::string schema;  // empty: not given
  std::string name;
};
// The table or view that an INSERT, REPLACE, UPDATE or DELETE changes; nothing for other
// statements.
std::optional<NamedTable> ChangedTable(std::string_view sql);

// Whether the statement is CREATE VIRTUAL TABLE.
bool CreatesVirtualTable(std::string_view sql);

// Whether the first word of the statement is `word`. REQUIRES: `word` is in lower case
bool BeginsWith(std::string_view sql, std::string_view word);

}  // namespace aztables
