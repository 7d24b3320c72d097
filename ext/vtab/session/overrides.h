// Overrides: the options that INSERT INTO t(_command) VALUES('option=value') set, for one database
// connection. They outlive SQLite's objects for a table, which every change of the schema replaces.
// They do not outlive the table's declaration: another table of the same name begins without them.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "schema/options.h"

namespace aztables {

// The key of a table is Table::Key().
class Overrides {
 public:
  // `declared` with the options that were set for the table. `declaration` is the text of its
  // arguments.
  TableOptions Apply(const std::string& key, std::string_view declaration,
                     const TableOptions& declared) {
    TableOptions options = declared;
    Entry& entry = tables_[key];
    if (entry.declaration != declaration) entry = {std::string(declaration), {}};
    for (const auto& [name, value] : entry.options) {
      static_cast<void>(SetOption(name, value, options));
    }
    return options;
  }
  // Sets one option. REQUIRES: SetOption() accepted it
  void Set(const std::string& key, const std::string& name, const std::string& value) {
    tables_[key].options[name] = value;
  }
  void Reset(const std::string& key) { tables_[key].options.clear(); }
  // A table of that name was created.
  void Forget(const std::string& key) { tables_.erase(key); }
  // The table was renamed. A ROLLBACK may undo that, so the old name keeps its options.
  void Copy(const std::string& from, const std::string& to) {
    const auto entry = tables_.find(from);
    if (entry != tables_.end() && from != to) tables_[to] = Entry(entry->second);
  }

 private:
  struct Entry {
    std::string declaration;
    std::map<std::string, std::string> options;
  };

  std::map<std::string, Entry> tables_;
};

}  // namespace aztables
