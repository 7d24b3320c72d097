// Overrides: the options that INSERT INTO t(_command) VALUES('option=value') set, for one database
// connection. They outlive SQLite's objects for a table, which come and go with every change of the
// schema, but not its declaration: another table of the same name begins without them.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "options.h"

namespace aztables {

class Overrides {
 public:
  // `declared` with what was set for the table. `declaration` is the text of its arguments.
  TableOptions Apply(std::string_view schema_name, std::string_view table,
                     std::string_view declaration, const TableOptions& declared);
  // Sets one option. REQUIRES: SetOption() took it
  void Set(std::string_view schema_name, std::string_view table, const std::string& name,
           const std::string& value);
  void Reset(std::string_view schema_name, std::string_view table);
  void Rename(std::string_view schema_name, std::string_view from, std::string_view to);

 private:
  struct Entry {
    std::string declaration;
    std::map<std::string, std::string> options;
  };
  static std::string KeyOf(std::string_view schema_name, std::string_view table);

  std::map<std::string, Entry> tables_;
};

}  // namespace aztables
