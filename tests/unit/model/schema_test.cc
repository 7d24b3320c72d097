// Checks the columns of a virtual table: the declaration for SQLite, the column at each index, and
// the names of types.
#include "model/schema.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace aztables {
namespace {

constexpr EdmType kTypes[] = {EdmType::kNull,     EdmType::kString, EdmType::kInt32,
                              EdmType::kInt64,    EdmType::kDouble, EdmType::kBoolean,
                              EdmType::kDateTime, EdmType::kGuid,   EdmType::kBinary};

TEST(SchemaTest, WithoutProperties) {
  const Schema schema;
  EXPECT_EQ(schema.Declaration(),
            "CREATE TABLE x(PartitionKey TEXT NOT NULL, RowKey TEXT NOT NULL, Timestamp TEXT, "
            "_etag TEXT HIDDEN, _entity TEXT HIDDEN, _command TEXT HIDDEN)");
  EXPECT_EQ(schema.EtagColumn(), 3);
  EXPECT_EQ(schema.EntityColumn(), 4);
  EXPECT_EQ(schema.CommandColumn(), 5);
  EXPECT_EQ(schema.ColumnCount(), 6);
  EXPECT_EQ(schema.PropertyAt(3), nullptr);
}

TEST(SchemaTest, EveryTypeIsDeclaredInSqlitesOwnWords) {
  Schema schema;
  for (const EdmType type : kTypes) {
    const std::string name(ColumnTypeName(type));
    schema.properties.push_back({"c" + name, "p" + name, type});
  }
  EXPECT_EQ(schema.Declaration(),
            "CREATE TABLE x(PartitionKey TEXT NOT NULL, RowKey TEXT NOT NULL, Timestamp TEXT, "
            "\"cANY\", \"cSTRING\" TEXT, \"cINT32\" INTEGER, \"cINT64\" BIGINT, "
            "\"cDOUBLE\" REAL, \"cBOOLEAN\" BOOLEAN INTEGER, \"cDATETIME\" TEXT, \"cGUID\" TEXT, "
            "\"cBINARY\" BLOB, _etag TEXT HIDDEN, _entity TEXT HIDDEN, _command TEXT HIDDEN)");
}

TEST(SchemaTest, NamesAreQuoted) {
  Schema schema;
  schema.properties.push_back({"a\"b", "x", EdmType::kInt32});
  schema.properties.push_back({"order by", "y", EdmType::kNull});
  schema.properties.push_back({"x); DROP TABLE t; --", "z", EdmType::kString});
  const std::string sql = schema.Declaration();
  EXPECT_NE(sql.find(", \"a\"\"b\" INTEGER, \"order by\", \"x); DROP TABLE t; --\" TEXT, _etag"),
            std::string::npos)
      << sql;
}

TEST(SchemaTest, Indices) {
  Schema schema;
  schema.properties.push_back({"rating", "Rating", EdmType::kDouble});
  schema.properties.push_back({"Year", "ReleaseYear", EdmType::kInt32});
  EXPECT_EQ(schema.EtagColumn(), 5);
  EXPECT_EQ(schema.EntityColumn(), 6);
  EXPECT_EQ(schema.ColumnCount(), 8);
  const char* const remote[] = {"PartitionKey", "RowKey", "Timestamp", "Rating",
                                "ReleaseYear",  "",       "",          ""};
  for (int i = 0; i < schema.ColumnCount(); ++i) {
    EXPECT_EQ(schema.RemoteName(i), remote[i]) << i;
    const bool property = i == 3 || i == 4;
    ASSERT_EQ(schema.PropertyAt(i) != nullptr, property) << i;
    if (property) {
      EXPECT_EQ(schema.PropertyAt(i)->property, remote[i]);
    }
  }
  for (int i : {-1, -1000, 7, 8, 1000}) {
    EXPECT_EQ(schema.PropertyAt(i), nullptr) << i;
    EXPECT_EQ(schema.RemoteName(i), "") << i;
  }
}

TEST(EdmTest, NamesBothWays) {
  std::set<std::string_view> names;
  for (const EdmType type : kTypes) {
    names.insert(EdmName(type));
    if (type == EdmType::kNull) continue;
    EXPECT_TRUE(EdmName(type).starts_with("Edm.")) << EdmName(type);
    EXPECT_EQ(EdmFromName(EdmName(type)), type);
    EXPECT_EQ("Edm." + std::string(ColumnTypeName(type)).substr(0, 1),
              std::string(EdmName(type)).substr(0, 5));
  }
  EXPECT_EQ(names.size(), std::size(kTypes));
  EXPECT_EQ(EdmName(EdmType::kNull), "null");
  for (const char* unknown : {"", "null", "Edm.", "Edm.Decimal", "Edm.Byte", "edm.int32", "Int32",
                              "Edm.Int32 ", "Edm.DateTimeOffset"}) {
    EXPECT_EQ(EdmFromName(unknown), std::nullopt) << unknown;
  }
}

TEST(EdmTest, ValuesCarryTheirTypeAndCompare) {
  EXPECT_EQ(Value::Int32(5).integer, 5);
  EXPECT_EQ(Value::Boolean(true).integer, 1);
  EXPECT_EQ(Value::Boolean(false).integer, 0);
  EXPECT_EQ(Value::Double(0.5).real, 0.5);
  EXPECT_EQ(Value::Binary(std::string_view("a\0b", 3)).text.size(), 3U);
  EXPECT_EQ(Value::String("a"), Value::String("a"));
  EXPECT_FALSE(Value::String("a") == Value::String("b"));
  EXPECT_FALSE(Value::Int32(5) == Value::Int64(5));
  EXPECT_FALSE(Value::String("x") == Value::Binary("x"));
  EXPECT_EQ(Value(), Value());
  EXPECT_FALSE(Value() == Value::String(""));
}

}  // namespace
}  // namespace aztables
