// Columns of CREATE VIRTUAL TABLE: see columns.h.
#include "schema/columns.h"

#include <optional>
#include <string>

#include "base/encoding.h"
#include "base/secret.h"
#include "model/limits.h"
#include "schema/argument_shape.h"
#include "schema/catalog.h"

namespace aztables {
namespace {

struct TypeName {
  std::string_view name;
  EdmType type;
};
constexpr TypeName kTypes[] = {{"STRING", EdmType::kString},      {"TEXT", EdmType::kString},
                               {"VARCHAR", EdmType::kString},     {"INT32", EdmType::kInt32},
                               {"INT", EdmType::kInt32},          {"INT64", EdmType::kInt64},
                               {"INTEGER", EdmType::kInt64},      {"BIGINT", EdmType::kInt64},
                               {"DOUBLE", EdmType::kDouble},      {"REAL", EdmType::kDouble},
                               {"FLOAT", EdmType::kDouble},       {"BOOLEAN", EdmType::kBoolean},
                               {"BOOL", EdmType::kBoolean},       {"DATETIME", EdmType::kDateTime},
                               {"TIMESTAMP", EdmType::kDateTime}, {"GUID", EdmType::kGuid},
                               {"UUID", EdmType::kGuid},          {"BINARY", EdmType::kBinary},
                               {"BLOB", EdmType::kBinary},        {"ANY", EdmType::kNull}};

const TypeName* FindType(std::string_view word) {
  for (const TypeName& type : kTypes) {
    if (EqualsIgnoreCase(type.name, word)) return &type;
  }
  return nullptr;
}

// What SQL or the extension itself uses as a column name.
constexpr std::string_view kReserved[] = {"PartitionKey", "RowKey",  "Timestamp",
                                          "_etag",        "_entity", "_command",
                                          "rowid",        "oid",     "_rowid_"};

Status Invalid(std::string_view name, std::string_view why) {
  return Status::Error("column " + ShowWord(name) + ": " + std::string(why) +
                       "; a column is: name TYPE [PROPERTY 'Remote'], TYPE one of " +
                       CatalogNames("column type"));
}

constexpr size_t kMostShown = 64;  // bytes of a name

std::string ShowName(std::string_view name) {
  return IsPlainWord(name) ? std::string(name) : ShowWord(name);
}

}  // namespace

ColumnNames::ColumnNames(const Schema& schema) {
  for (const Column& column : schema.properties) Take(column);
}

void ColumnNames::Take(const Column& column) {
  taken_.emplace(ToLowerAscii(column.name), ShowName(column.name));
}

Status ColumnNames::Add(const Column& column) {
  AZTABLES_RETURN_IF_ERROR(Check(column));
  Take(column);
  return {};
}

Status ColumnNames::Check(const Column& column) const {
  const std::string& remote = column.property;
  if (!IsPropertyName(remote) && column.name != remote) {
    return Status::Error(
        ShowWord(remote) +
        " is not a valid property name: letters, digits and _ only, no digit first; "
        "if the service has it, read it by aztables_get(_entity, name)");
  }
  if (!IsPropertyName(remote)) {
    return Status::Error(
        ShowWord(remote) +
        " is not a valid property name: letters, digits and _ only, no digit first; write: " +
        "name TYPE PROPERTY 'Remote'");
  }
  if (Utf16Length(remote) > kMaxPropertyNameLength) {
    return Status::Error(ShowWord(remote) +
                         " is too long for a property name: it may have 255 characters");
  }
  const std::string other_name = "; write: other_name " + std::string(ColumnTypeName(column.type)) +
                                 " PROPERTY '" + (remote.size() <= kMostShown ? remote : "Remote") +
                                 "'";
  if (MayBeSecret(column.name)) {
    return Status::Error(std::string(kNotShown) +
                         " is not a column name: it may be a key or a SAS");
  }
  for (const std::string_view reserved : kReserved) {
    if (!EqualsIgnoreCase(column.name, reserved)) continue;
    if (column.name == column.property &&
        (reserved[0] == 'P' || reserved[0] == 'R' || reserved[0] == 'T')) {
      const std::string there = "column " + std::string(reserved) + " is always there";
      // A property of the service may have the same name in another case.
      return Status::Error(column.name == reserved
                               ? there + ": leave it out"
                               : there + ", and SQLite ignores case; for a property " +
                                     column.name + other_name.substr(1));
    }
    return Status::Error("the column name " + column.name + " is taken" + other_name);
  }
  if (remote == "PartitionKey" || remote == "RowKey" || remote == "Timestamp") {
    return Status::Error("PROPERTY '" + remote + "' has a column of its own");
  }
  const auto earlier = taken_.find(ToLowerAscii(column.name));
  if (earlier == taken_.end()) return {};
  return Status::Error("two columns are named " + earlier->second + " (SQLite ignores case)" +
                       other_name);
}

std::optional<EdmType> TypeFromName(std::string_view name) {
  constexpr std::string_view kVarchar = "VARCHAR";
  name = TrimBlanks(name);
  if (const TypeName* const found = FindType(name)) return found->type;
  for (auto i = static_cast<int>(EdmType::kString); i <= static_cast<int>(EdmType::kLast); ++i) {
    const auto type = static_cast<EdmType>(i);
    if (EqualsIgnoreCase(EdmName(type), name)) return type;
  }
  if (name.size() <= kVarchar.size() ||
      !EqualsIgnoreCase(name.substr(0, kVarchar.size()), kVarchar)) {
    return std::nullopt;
  }
  std::string_view size = TrimBlanks(name.substr(kVarchar.size()));
  if (!size.starts_with('(') || !size.ends_with(')')) return std::nullopt;
  size = TrimBlanks(size.substr(1, size.size() - 2));
  const bool digits =
      !size.empty() && size.find_first_not_of("0123456789") == std::string_view::npos;
  return digits ? std::optional(EdmType::kString) : std::nullopt;
}

Result<Column> ParseColumn(std::string_view argument) {
  const auto tokens = ArgumentWords(argument);
  if (!tokens || tokens->empty()) return Invalid(argument, "it is malformed");
  Column column;
  column.name = tokens->front().text;
  column.property = column.name;
  if (column.name.empty()) return Invalid(argument, "it has no name");
  size_t at = 1;
  const auto is_word = [&](std::string_view word) {
    return at < tokens->size() && !(*tokens)[at].quoted &&
           EqualsIgnoreCase((*tokens)[at].text, word);
  };
  if (at < tokens->size() && !is_word("PROPERTY")) {
    const ArgumentWord& word = (*tokens)[at];
    const TypeName* const found = word.quoted ? nullptr : FindType(word.text);
    if (found == nullptr) return Invalid(column.name, "there is no type " + ShowWord(word.text));
    column.type = found->type;
    ++at;
    if (found->name == "VARCHAR" && at < tokens->size() && (*tokens)[at].text.starts_with('('))
      ++at;
  }
  if (is_word("PROPERTY")) {
    ++at;
    if (at >= tokens->size()) return Invalid(column.name, "PROPERTY lacks its name");
    column.property = (*tokens)[at].text;
    ++at;
  }
  if (at < tokens->size()) {
    return Invalid(column.name, ShowWord((*tokens)[at].text) + " is not understood");
  }
  return column;
}

}  // namespace aztables
