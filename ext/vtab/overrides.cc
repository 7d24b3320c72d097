// Overrides: see overrides.h.
#include "overrides.h"

#include "aztables/base/encoding.h"

namespace aztables {

std::string Overrides::KeyOf(std::string_view schema_name, std::string_view table) {
  return ToLowerAscii(schema_name) + "." + ToLowerAscii(table);
}

TableOptions Overrides::Apply(std::string_view schema_name, std::string_view table,
                              std::string_view declaration, const TableOptions& declared) {
  TableOptions options = declared;
  Entry& entry = tables_[KeyOf(schema_name, table)];
  if (entry.declaration != declaration) entry = {std::string(declaration), {}};
  for (const auto& [name, value] : entry.options) {
    static_cast<void>(SetOption(name, value, options));
  }
  return options;
}

void Overrides::Set(std::string_view schema_name, std::string_view table, const std::string& name,
                    const std::string& value) {
  tables_[KeyOf(schema_name, table)].options[name] = value;
}

void Overrides::Reset(std::string_view schema_name, std::string_view table) {
  tables_[KeyOf(schema_name, table)].options.clear();
}

void Overrides::Rename(std::string_view schema_name, std::string_view from, std::string_view to) {
  auto entry = tables_.extract(KeyOf(schema_name, from));
  if (entry.empty()) return;
  entry.key() = KeyOf(schema_name, to);
  tables_.erase(entry.key());
  tables_.insert(std::move(entry));
}

}  // namespace aztables
