// Overrides: see overrides.h.
#include "vtab/session/overrides.h"

namespace aztables {

TableOptions Overrides::Apply(const std::string& key, std::string_view declaration,
                              const TableOptions& declared) {
  TableOptions options = declared;
  Entry& entry = tables_[key];
  if (entry.declaration != declaration) entry = {std::string(declaration), {}};
  for (const auto& [name, value] : entry.options) {
    static_cast<void>(SetOption(name, value, options));
  }
  return options;
}

void Overrides::Set(const std::string& key, const std::string& name, const std::string& value) {
  tables_[key].options[name] = value;
}

void Overrides::Reset(const std::string& key) { tables_[key].options.clear(); }

void Overrides::Copy(const std::string& from, const std::string& to) {
  const auto entry = tables_.find(from);
  if (entry != tables_.end() && from != to) tables_[to] = Entry(entry->second);
}

}  // namespace aztables
