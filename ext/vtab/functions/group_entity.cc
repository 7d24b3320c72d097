// aztables_group_entity(name, value [, type]): an aggregate that builds an `_entity` text of rows,
// the inverse of aztables_each. Pure.
#include <memory>
#include <new>
#include <unordered_set>

#include "model/limits.h"
#include "odata/json_writer.h"
#include "vtab/functions/entity_arguments.h"
#include "vtab/functions/functions.h"
#include "vtab/sqlite/guard.h"
#include "vtab/sqlite/values.h"

namespace aztables {
namespace {

constexpr std::string_view kName = "aztables_group_entity";

// One group so far.
struct Group {
  std::string text = "{";
  std::unordered_set<std::string> names;
  size_t stored = 0;
};

// SQLite's memory for one group holds a pointer, which is null before the first row.
Group** Place(sqlite3_context* context, bool create) {
  return static_cast<Group**>(
      sqlite3_aggregate_context(context, create ? static_cast<int>(sizeof(void*)) : 0));
}

Status Add(Group& group, int count, sqlite3_value** values) {
  if (sqlite3_value_type(values[0]) == SQLITE_NULL) {
    return {Code::kMismatch, "the name of a property is NULL"};
  }
  const auto type = count == 3 ? TypeArgument(values[2]) : Result<EdmType>(EdmType::kNull);
  if (!type.ok()) return type.status();
  const auto property = PropertyOf(ToText(values[0]), values[1], *type);
  if (!property.ok()) return property.status();
  if (!group.names.insert(property->name).second) {
    return {Code::kMismatch, "property " + property->name + " is given twice"};
  }
  if (property->value.type == EdmType::kNull) {
    // Given, but not stored: the name is used and does not count.
    return {};
  }
  if (++group.stored > kMaxProperties) {
    return {Code::kTooBig, "property " + property->name +
                               " is one too many; an entity may have 252 besides its keys and "
                               "Timestamp"};
  }
  AppendStoredProperty(group.text, group.text.size() > 1 ? "," : "", property->name,
                       property->value);
  return {};
}

void Step(sqlite3_context* context, int count, sqlite3_value** values) {
  GuardResult(context, [&]() -> Status {
    Group** const place = Place(context, true);
    if (place == nullptr) {
      sqlite3_result_error_nomem(context);
      return {};
    }
    if (*place == nullptr) *place = std::make_unique<Group>().release();
    return InFunction(kName, Add(**place, count, values));
  });
}

// SQLite calls this once for every group that had a row, also after an error.
void Finish(sqlite3_context* context) {
  GuardResult(context, [&] {
    Group** const place = Place(context, false);
    const std::unique_ptr<Group> group(place == nullptr ? nullptr : *place);
    ResultText(context, group == nullptr ? "{}" : group->text + '}');
    return Status();
  });
}

constexpr SqlFunction kFunctions[] = {
    {kName.data(), 2, kPure, nullptr, Step, Finish},
    {kName.data(), 3, kPure, nullptr, Step, Finish},
};

}  // namespace

std::span<const SqlFunction> GroupFunctions() { return kFunctions; }

}  // namespace aztables
