// aztables_each(entity): the properties of an `_entity` text as rows. Pure.
#include <cmath>

#include "base/encoding.h"
#include "model/schema.h"
#include "vtab/functions/functions.h"
#include "vtab/tables/eponymous.h"

namespace aztables {
namespace {

// The value as a column shows it, unless aztables_group_entity could not restore it from that. NaN,
// which SQLite does not have as a number, is text here; a String that is not valid UTF-8 is a BLOB.
RowValue Show(Value& value) {
  switch (value.type) {
    case EdmType::kInt32:
    case EdmType::kInt64:
    case EdmType::kBoolean:
      return value.integer;
    case EdmType::kDouble:
      if (std::isnan(value.real)) return std::string("NaN");
      return value.real;
    case EdmType::kBinary:
      return Blob{std::move(value.text)};
    default:
      if (HasLoneSurrogate(value.text)) return Blob{std::move(value.text)};
      return std::move(value.text);
  }
}

Status FillEach(Session& session, const Arguments& arguments, std::vector<Row>& rows) {
  if (!arguments[0]) return {};
  auto properties = session.entity_reader().All(*arguments[0]);
  if (!properties.ok()) return InFunction("aztables_each", properties.status());
  rows.reserve(properties->size());
  for (Property& property : *properties) {
    const EdmType type = property.value.type;
    if (type == EdmType::kNull) continue;
    Row row(3);
    row[0] = std::move(property.name);
    row[1] = Show(property.value);
    row[2] = std::string(ColumnTypeName(type));
    rows.push_back(std::move(row));
  }
  return {};
}

}  // namespace

const EponymousTable kEachTable = {
    .name = "aztables_each",
    .columns = "name TEXT, value, type TEXT, entity_argument HIDDEN",
    .visible = 3,
    .arguments = 1,
    .innocuous = true,
    .fill = FillEach,
};

}  // namespace aztables
