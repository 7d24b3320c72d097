// DirectUse: what a statement's own text asks for: the functions that it calls and the table that
// it changes. A database file that somebody sends can put SQL into views, triggers, CHECKs and the
// arguments of other modules; it cannot put words into the statement that the user runs.
//
// Some modules (FTS3, R-Tree, pragma tables) run statements of their own, with names that the file
// has chosen. They write such names between quotes. So a call counts only with a bare name, and a
// name between single quotes never counts.
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

// The module of a CREATE VIRTUAL TABLE statement; empty for other statements.
std::string ModuleOf(std::string_view create_sql);

}  // namespace aztables
