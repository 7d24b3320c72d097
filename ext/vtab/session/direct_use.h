// DirectUse: what a statement's own text asks for: the functions that it calls and the table that
// it changes. A database file that somebody sends can put SQL into views, triggers, CHECKs and the
// arguments of other modules; it cannot put words into the statement that the user runs.
//
// Some modules (FTS5, R-Tree, pragma tables) and VACUUM run statements of their own within the
// user's, with names or whole texts that the file has chosen. So every statement that executes has
// to ask for it: StatementTracker::AllExecuting(). A function name in quotes and a table name
// between single quotes do not count.
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

// A table as a statement names it.
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
