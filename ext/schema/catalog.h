// Catalog: the ONE list of everything that users can name: functions, tables, options of a table,
// keys of a connection string. It feeds aztables_help, the error that names the valid options, and
// REFERENCE.md (a test compares them).
//
// Thread rule: constant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace aztables {

struct CatalogEntry {
  std::string_view name;
  // "module", "function", "table", "option", "command", "column type", "connection key"
  std::string_view kind;
  std::string_view usage;
  std::string_view summary;
  std::string_view example;
};

std::span<const CatalogEntry> Catalog();

// The entry of that kind and name, in any case; null if there is none.
const CatalogEntry* FindInCatalog(std::string_view kind, std::string_view name);

// The names of one kind: "access, connection, create".
std::string CatalogNames(std::string_view kind);

}  // namespace aztables
