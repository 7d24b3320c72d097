// PropertyNames: see property_names.h.
#include "vtab/session/property_names.h"

#include <algorithm>

#include "base/encoding.h"
#include "vtab/sqlite/sql.h"

namespace aztables {

std::string_view PropertyNames::OtherCase(std::string_view name) const {
  if (Has(name)) return {};
  const auto other = std::find_if(names_.begin(), names_.end(), [&](const std::string& known) {
    return EqualsIgnoreCase(known, name);
  });
  return other == names_.end() ? std::string_view() : *other;
}

Status CheckName(const PropertyNames& names, const Schema& schema, const Column& column) {
  const std::string_view other = names.OtherCase(column.property);
  const auto& columns = schema.properties;
  const bool shown = std::any_of(columns.begin(), columns.end(),
                                 [&](const Column& another) { return another.property == other; });
  if (other.empty() || shown) return {};
  return Status::Error("there is no property " + column.property + ", but " + std::string(other) +
                       "; write " + SqlIdentifier(column.name) + " " +
                       std::string(ColumnTypeName(column.type)) + " PROPERTY '" +
                       std::string(other) + "'");
}

}  // namespace aztables
