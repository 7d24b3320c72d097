// UpdateRow and DeleteRow: what UPDATE and DELETE put into the transaction's write log; see
// row_writes.h.
#include <algorithm>
#include <optional>
#include <tuple>

#include "aztables/model/convert.h"
#include "aztables/model/limits.h"
#include "aztables/odata/json_writer.h"
#include "row_writes.h"
#include "shown_value.h"
#include "values.h"

namespace aztables {
namespace {

Status UnknownRow(sqlite3_int64 rowid) {
  return Status::Error("the row with rowid " + std::to_string(rowid) +
                       " was not read by this statement; read it again by its keys");
}

// The condition under which the entity that was read is changed or deleted.
std::string ConditionOf(const Table& table, const RowRead& row) {
  if (!row.remote) return "";
  return table.options.any_version || row.etag.empty() ? "*" : row.etag;
}

// OK if the statement has seen one version of the row.
Status CheckOneVersion(const Table& table, const RowRead& row, EntityKeyView key) {
  if (!row.torn || table.options.any_version) return {};
  return {Code::kPrecondition, "the entity " + DescribeEntity(key.partition_key, key.row_key) +
                                   " was changed while the statement read it; try again"};
}

// What an UPDATE says of one row.
class RowChange {
 public:
  RowChange(Table& table, const EntityKey& old_key, const RowRead& row, sqlite3_value** columns)
      : table_(table),
        schema_(table.declaration.schema),
        old_key_(old_key),
        row_(row),
        columns_(columns),
        marked_(AnyMarked()) {}

  // Reads the columns.
  Status Read() {
    // Where SQLite marks nothing, it has asked for the column unless the statement gives it.
    if (marked_ ? Given(schema_.CommandColumn()) : !row_.shown) {
      return Status::Error("_command is for INSERT alone");
    }
    if (!marked_) AZTABLES_RETURN_IF_ERROR(ReadOld());
    AZTABLES_RETURN_IF_ERROR(ReadKeysOf());
    for (const auto& [column, name, shown] :
         {std::tuple(int{Schema::kTimestamp}, "Timestamp", &row_.timestamp),
          std::tuple(schema_.EtagColumn(), "_etag", &row_.etag)}) {
      if (!Gives(column, *shown) || (!marked_ && row_.torn)) continue;
      return Status::Error(std::string(name) + " is the service's and cannot be changed");
    }
    AZTABLES_RETURN_IF_ERROR(ReadEntity());
    for (int i = Schema::kFirstProperty; i < schema_.EtagColumn(); ++i) {
      AZTABLES_RETURN_IF_ERROR(ReadProperty(i));
    }
    return {};
  }

  const EntityKey& key() const { return key_; }
  bool moves() const { return CompareEntityKeys(key_, old_key_) != 0; }

  // What the UPDATE does to the entity. Where it moves, or takes properties away, it writes all.
  Result<EntityWrite> Write() {
    EntityWrite write;
    const bool whole = moves() || entity_ || row_.changed || TakesAway();
    write.verb = whole ? WriteVerb::kReplace : WriteVerb::kMerge;
    write.if_match = ConditionOf(table_, row_);
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
    AZTABLES_RETURN_IF_ERROR(
        CheckEntity({key_.partition_key, key_.row_key, std::move(properties)}));
    return write;
  }

 private:
  // Whether the entity that a merge makes may be beyond the limits, by the size of the texts: the
  // service counts less than four bytes for one of theirs.
  bool MayExceedLimits(const std::string& changes, size_t changed) const {
    const auto most_properties =
        changed + 1 + static_cast<size_t>(std::count(row_.entity.begin(), row_.entity.end(), ','));
    return most_properties > kMaxProperties ||
           4 * (row_.entity.size() + changes.size()) > kMaxEntitySize;
  }

  // The properties of the entity as it was read, once.
  Status ReadOld() {
    if (old_read_) return {};
    auto old = table_.session->entity_reader().All(row_.entity.empty() ? "{}" : row_.entity);
    if (!old.ok()) {
      return old.status().WithMessage(
          "the entity " + DescribeEntity(old_key_.partition_key, old_key_.row_key) +
          " cannot be written back: " + std::string(old.status().message()));
    }
    old_ = std::move(*old);
    old_read_ = true;
    return {};
  }

  const Value* Old(const std::string& property) const {
    const auto found = std::find_if(old_.begin(), old_.end(),
                                    [&](const Property& other) { return other.name == property; });
    return found == old_.end() ? nullptr : &found->value;
  }

  bool AnyMarked() const {
    return std::any_of(columns_, columns_ + schema_.ColumnCount(),
                       [](sqlite3_value* value) { return sqlite3_value_nochange(value) != 0; });
  }
  // Whether the statement gives the column, where SQLite marks those that it does not.
  bool Given(int column) const { return sqlite3_value_nochange(columns_[column]) == 0; }
  // Whether it gives the text column, of which the row showed `shown`.
  bool Gives(int column, const std::string& shown) const {
    return marked_ ? Given(column) : ToText(columns_[column]) != shown;
  }

  Status ReadKeysOf() {
    key_ = old_key_;
    const bool pk = !marked_ || Given(Schema::kPartitionKey);
    const bool rk = !marked_ || Given(Schema::kRowKey);
    if (!pk && !rk) return {};
    if (pk) {
      auto key = ToKey(ToSqlValue(columns_[Schema::kPartitionKey]), "PartitionKey");
      if (!key.ok()) return key.status();
      key_.partition_key = std::move(*key);
    }
    if (rk) {
      auto key = ToKey(ToSqlValue(columns_[Schema::kRowKey]), "RowKey");
      if (!key.ok()) return key.status();
      key_.row_key = std::move(*key);
    }
    return {};
  }

  Status ReadEntity() {
    sqlite3_value* const value = columns_[schema_.EntityColumn()];
    if (!Gives(schema_.EntityColumn(), row_.entity)) return {};
    auto properties = ReadEntityColumn(table_, value);
    if (!properties.ok()) return properties.status();
    entity_ = std::move(*properties);
    return {};
  }

  Status ReadProperty(int index) {
    const Column& column = *schema_.PropertyAt(index);
    if (marked_ && !Given(index)) return {};
    const SqlValue given = ToSqlValue(columns_[index]);
    if (!marked_ && ShowsSame(Old(column.property), column.type, given)) return {};
    auto value = ToEdm(given, column.type, column.name);
    if (!value.ok()) return value.status();
    const auto same = std::find_if(changes_.begin(), changes_.end(), [&](const Property& other) {
      return other.name == column.property;
    });
    if (same == changes_.end()) {
      changes_.push_back({column.property, std::move(*value)});
    } else if (same->value != *value) {
      return Status::Error("two columns give the property " + column.property +
                           " different values");
    }
    return {};
  }

  // Whether a property that the entity has is set to NULL.
  bool TakesAway() {
    const bool any = std::any_of(changes_.begin(), changes_.end(), [](const Property& change) {
      return change.value.type == EdmType::kNull;
    });
    if (!any || !ReadOld().ok()) return any;
    return std::any_of(changes_.begin(), changes_.end(), [this](const Property& change) {
      const Value* const old = change.value.type == EdmType::kNull ? Old(change.name) : nullptr;
      return old != nullptr && old->type != EdmType::kNull;
    });
  }

  Table& table_;
  const Schema& schema_;
  const EntityKey& old_key_;
  const RowRead& row_;
  sqlite3_value** columns_;
  const bool marked_;  // SQLite marks the columns that the statement leaves alone
  EntityKey key_;
  std::optional<std::vector<Property>> entity_;  // of _entity, where it is set
  std::vector<Property> changes_;                // of the other columns; null: taken away
  std::vector<Property> old_;
  bool old_read_ = false;
};

}  // namespace

Status UpdateRow(Table& table, sqlite3_int64 rowid, sqlite3_value** columns,
                 OnConflict on_conflict) {
  const auto known = table.writing->rowids.Find(rowid);
  RowRead* const row = table.writing->rows_read.Find(rowid);
  if (!known || row == nullptr) return UnknownRow(rowid);
  const EntityKey old_key{known->first, known->second};
  AZTABLES_RETURN_IF_ERROR(CheckOneVersion(table, *row, old_key));
  RowChange change(table, old_key, *row, columns);
  AZTABLES_RETURN_IF_ERROR(change.Read());
  const bool replaces = on_conflict == OnConflict::kReplace;
  const bool same_move = row->moved_to && CompareEntityKeys(*row->moved_to, change.key()) == 0;
  if (change.moves() && !replaces && !same_move && IsKnownToExist(table, change.key())) {
    return ExistsError(change.key());
  }
  auto write = change.Write();
  if (!write.ok()) return write.status();
  WriteLog& log = table.writing->writes;
  const size_t most = table.options.max_pending;
  if (row->moved_to) {  // by a row of the same UPDATE ... FROM that does not count
    AZTABLES_RETURN_IF_ERROR(log.Add(table.id, *row->moved_to, {WriteVerb::kDelete, "", ""}, most));
    row->moved_to.reset();
  }
  row->changed = true;
  if (write->verb == WriteVerb::kNothing) return {};
  if (!change.moves()) return log.Add(table.id, old_key, std::move(*write), most);
  EntityWrite removal{WriteVerb::kDelete, write->if_match, ""};
  write->verb = replaces ? WriteVerb::kInsertOrReplace : WriteVerb::kInsert;
  write->if_match.clear();
  row->moved_to = change.key();
  return log.Move(table.id, old_key, std::move(removal), change.key(), std::move(*write), most);
}

Status DeleteRow(Table& table, sqlite3_int64 rowid) {
  const auto known = table.writing->rowids.Find(rowid);
  const auto row = table.writing->rows_read.Take(rowid);
  if (!known || !row) return UnknownRow(rowid);
  AZTABLES_RETURN_IF_ERROR(CheckOneVersion(table, *row, {known->first, known->second}));
  return table.writing->writes.Add(table.id, {known->first, known->second},
                                   {WriteVerb::kDelete, ConditionOf(table, *row), ""},
                                   table.options.max_pending);
}

}  // namespace aztables
