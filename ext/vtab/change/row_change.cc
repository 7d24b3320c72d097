// RowChange: see row_change.h.
#include "vtab/change/row_change.h"

#include <algorithm>
#include <tuple>

#include "model/convert.h"
#include "model/limits.h"
#include "odata/json_writer.h"
#include "schema/column_conversion.h"
#include "vtab/sqlite/values.h"

namespace aztables {

std::string ConditionOf(const Table& table, const RowRead& row) {
  if (!row.remote) return "";
  return table.options.ignore_etag || row.etag.empty() ? "*" : row.etag;
}

RowChange::RowChange(Table& table, const EntityKey& old_key, const RowRead& row,
                     sqlite3_value** columns)
    : table_(table),
      schema_(table.declaration.schema),
      old_key_(old_key),
      row_(row),
      columns_(columns),
      marked_(AnyMarked()) {}

Status RowChange::Read() {
  // If SQLite marks no columns, it has requested this column unless the statement sets it.
  if (marked_ ? Given(schema_.CommandColumn()) : !row_.shown) {
    return Status::Error("_command is for INSERT alone");
  }
  if (!marked_) AZTABLES_RETURN_IF_ERROR(ReadOld());
  AZTABLES_RETURN_IF_ERROR(ReadKeysOf());
  for (const auto& [column, name, shown] :
       {std::tuple(int{Schema::kTimestamp}, "Timestamp", &row_.timestamp),
        std::tuple(schema_.EtagColumn(), "_etag", &row_.etag)}) {
    if (!Gives(column, *shown) || (!marked_ && row_.version_conflict)) continue;
    return Status::Error(std::string(name) + " is the service's and cannot be changed");
  }
  AZTABLES_RETURN_IF_ERROR(ReadEntity());
  for (int i = Schema::kFirstProperty; i < schema_.EtagColumn(); ++i) {
    AZTABLES_RETURN_IF_ERROR(ReadProperty(i));
  }
  return {};
}

Result<EntityWrite> RowChange::Write() {
  EntityWrite write;
  const bool whole = moves() || entity_ || row_.changed || TakesAway();
  write.verb = whole ? WriteVerb::kReplace : WriteVerb::kMerge;
  write.if_match = ConditionOf(table_, row_);
  write.read_at = row_.read_at;
  std::vector<Property> properties;
  if (whole) {
    AZTABLES_RETURN_IF_ERROR(ReadOld());
    properties = entity_ ? std::move(*entity_) : old_;
    for (const Property& change : changes_) SetProperty(properties, change);
  } else {
    properties = changes_;
  }
  std::erase_if(properties,
                [](const Property& property) { return property.value.type == EdmType::kNull; });
  if (!whole && properties.empty()) return EntityWrite{};
  AppendPropertiesJson(write.properties, properties);
  if (!whole && MayExceedLimits(write.properties, properties.size())) {
    AZTABLES_RETURN_IF_ERROR(ReadOld());
    std::vector<Property> merged = old_;
    for (const Property& change : properties) SetProperty(merged, change);
    properties = std::move(merged);
  }
  AZTABLES_RETURN_IF_ERROR(CheckEntity({key_.partition_key, key_.row_key, std::move(properties)}));
  return write;
}

bool RowChange::MayExceedLimits(const std::string& changes, size_t changed) const {
  const auto most_properties =
      changed + 1 + static_cast<size_t>(std::count(row_.entity.begin(), row_.entity.end(), ','));
  return most_properties > kMaxProperties ||
         4 * (row_.entity.size() + changes.size()) > kMaxEntitySize;
}

Status RowChange::ReadOld() {
  if (old_read_) return {};
  auto old = table_.session->entity_reader().All(row_.entity.empty() ? "{}" : row_.entity);
  if (!old.ok()) {
    return old.status().In("the entity " +
                           DescribeEntity(old_key_.partition_key, old_key_.row_key) +
                           " cannot be written back");
  }
  old_ = std::move(*old);
  old_read_ = true;
  return {};
}

const Value* RowChange::Old(const std::string& property) const {
  const auto found = std::find_if(old_.begin(), old_.end(),
                                  [&](const Property& other) { return other.name == property; });
  return found == old_.end() ? nullptr : &found->value;
}

bool RowChange::AnyMarked() const {
  return std::any_of(columns_, columns_ + schema_.ColumnCount(),
                     [](sqlite3_value* value) { return sqlite3_value_nochange(value) != 0; });
}

bool RowChange::Gives(int column, const std::string& shown) const {
  return marked_ ? Given(column) : ToText(columns_[column]) != shown;
}

Status RowChange::ReadKeysOf() {
  key_ = old_key_;
  for (const auto& [column, name, place] :
       {std::tuple(Schema::kPartitionKey, "PartitionKey", &key_.partition_key),
        std::tuple(Schema::kRowKey, "RowKey", &key_.row_key)}) {
    if (marked_ && !Given(column)) continue;
    auto key = ToKey(ToSqlValue(columns_[column]), name);
    if (!key.ok()) return key.status();
    *place = std::move(*key);
  }
  return {};
}

Status RowChange::ReadEntity() {
  sqlite3_value* const value = columns_[schema_.EntityColumn()];
  if (!Gives(schema_.EntityColumn(), row_.entity)) return {};
  auto properties = ReadEntityColumn(table_, value);
  if (!properties.ok()) {
    return NameMisfit(table_, old_key_, schema_.EntityColumn(), properties.status());
  }
  entity_ = std::move(*properties);
  return {};
}

Status RowChange::ReadProperty(int index) {
  const Column& column = *schema_.PropertyAt(index);
  if (marked_ && !Given(index)) return {};
  const SqlValue given = ToSqlValue(columns_[index]);
  if (!marked_ && ShowsSame(Old(column.property), column.type, given)) return {};
  auto value = ToEdm(given, column.type, column.name);
  if (!value.ok()) return NameMisfit(table_, old_key_, index, value.status());
  AZTABLES_RETURN_IF_ERROR(KeepLoneSurrogates(column, given, *value));
  AZTABLES_RETURN_IF_ERROR(FitToEntity(index, *value));
  const auto same = std::find_if(changes_.begin(), changes_.end(), [&](const Property& other) {
    return other.name == column.property;
  });
  if (same == changes_.end()) {
    changes_.push_back({column.property, std::move(*value)});
  } else if (same->value != *value) {
    return Status::Error("two columns give the property " + column.property + " different values");
  }
  return {};
}

Status RowChange::KeepLoneSurrogates(const Column& column, const SqlValue& given, Value& value) {
  if (value.type != EdmType::kString || value.text.find("\xEF\xBF\xBD") == std::string::npos) {
    return {};
  }
  AZTABLES_RETURN_IF_ERROR(ReadOld());
  const Value* const old = Old(column.property);
  if (old != nullptr && ShowsSame(old, column.type, given)) value = *old;
  return {};
}

Status RowChange::FitToEntity(int index, Value& value) {
  const Column& column = *schema_.PropertyAt(index);
  const bool several = column.type == EdmType::kInt64 || column.type == EdmType::kDouble ||
                       column.type == EdmType::kNull;  // types that the column shows
  const bool known = !table_.IsDeclared(index) || table_.part.remote().names.Has(column.property);
  if (known && !several) return {};
  const auto before = TypeBefore(column.property);
  if (!before.ok()) return {};  // the property exists and is replaced
  value = KeepType(*before, column.type, std::move(value));
  if (known || *before != EdmType::kNull) return {};
  AZTABLES_RETURN_IF_ERROR(CheckName(table_.part.remote().names, schema_, column));
  const auto names = NamesBefore();
  return names.ok() ? CheckName(*names, schema_, column) : names.status();
}

Result<EdmType> RowChange::TypeBefore(const std::string& property) const {
  if (!entity_) return table_.session->entity_reader().TypeOf(row_.entity, property);
  const auto found = std::find_if(entity_->begin(), entity_->end(),
                                  [&](const Property& other) { return other.name == property; });
  return found == entity_->end() ? EdmType::kNull : found->value.type;
}

Result<PropertyNames> RowChange::NamesBefore() const {
  PropertyNames names;
  if (entity_) {
    for (const Property& property : *entity_) {
      if (property.value.type != EdmType::kNull) names.Add(property.name);
    }
    return names;
  }
  auto read = table_.session->entity_reader().Names(row_.entity);
  if (!read.ok()) return read.status();
  for (const std::string& name : *read) names.Add(name);
  return names;
}

bool RowChange::TakesAway() {
  const bool any = std::any_of(changes_.begin(), changes_.end(), [](const Property& change) {
    return change.value.type == EdmType::kNull;
  });
  if (!any || !ReadOld().ok()) return any;
  return std::any_of(changes_.begin(), changes_.end(), [this](const Property& change) {
    const Value* const old = change.value.type == EdmType::kNull ? Old(change.name) : nullptr;
    return old != nullptr && old->type != EdmType::kNull;
  });
}

}  // namespace aztables
