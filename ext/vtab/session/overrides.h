// Overrides: the options that INSERT INTO t(_command) VALUES('option=value') set, for one database
// connection. They outlive SQLite's objects for a table, which come and go with every change of the
// schema, but not its declaration: another table of the same name begins without them.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "schema/options.h"

namespace aztables {

// A table is named by a key that its owner makes: Table::Key().
class Overrides {
 public:
  // `declared` with what was set for the table. `declaration` is the text of its arguments.
  TableOptions Apply(const std::string& key, std::string_view declaration,
                     const TableOptions& declared);
  // Sets one option. REQUIRES: SetOption() took it
  void Set(const std::string& key, const std::string& name, const std::string& value);
  void Reset(const std::string& key);
  // A table of that name was created.
  void Forget(const std::string& key) { tables_.erase(key); }
  // The table was renamed. A ROLLBACK may take that back, so the old name keeps what it had.
  void Copy(const std::string& from, const std::string& to);

 private:
  struct Entry {
    std::string declaration;
    std::map<std::string, std::string> options;
  };

  std::map<std::string, Entry> tables_;
};

}  // namespace aztables
