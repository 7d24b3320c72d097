// Checks which entities of other types a filter asks for, and that conditions come first.
#include "plan/type_arms.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace aztables {
namespace {

Schema OneOfEach() {
  Schema schema;
  for (const auto& [name, type] :
       {std::pair("I", EdmType::kInt32), std::pair("L", EdmType::kInt64),
        std::pair("D", EdmType::kDouble), std::pair("S", EdmType::kString),
        std::pair("B", EdmType::kBoolean), std::pair("G", EdmType::kGuid),
        std::pair("A", EdmType::kNull)}) {
    schema.properties.push_back({name, name, type});
  }
  return schema;
}

struct Asked {
  std::string name;
  ConditionOp op;
  SqlValue value;
};

BoundPlan Bind(const std::vector<Asked>& conditions) {
  static const Schema schema = OneOfEach();
  ReadPlan plan;
  std::vector<ReadArgument> arguments;
  for (const Asked& asked : conditions) {
    arguments.emplace_back(asked.value);
    plan.conditions.push_back({asked.name, asked.op, static_cast<int>(arguments.size())});
  }
  BoundPlan read = BindRead(plan, arguments, schema, {}, true);
  AddTypeArms(read);
  return read;
}

std::string Filter(const std::vector<Asked>& conditions) {
  const BoundPlan read = Bind(conditions);
  const EntityQuery query = read.At(0);
  return FilterText(query.filter, query.clauses);
}

constexpr ConditionOp kEq = ConditionOp::kEq;
constexpr ConditionOp kGe = ConditionOp::kGe;
constexpr ConditionOp kLt = ConditionOp::kLt;
constexpr char kDates[] = " ge datetime'1601-01-01T00:00:00.0000000Z'";

std::string Dates(const char* name) { return std::string(" or ") + name + kDates; }

TEST(TypeArmsTest, OneConditionLeavesRoomForEveryType) {
  EXPECT_EQ(Filter({{"I", kEq, SqlValue::Integer(4)}}),
            "(I eq 4 or I ge '' or I lt 0.0 or I ge 0.0" + Dates("I") +
                " or I eq true or I eq false or I lt 0L or I ge 0L)");
  EXPECT_EQ(Filter({{"S", kEq, SqlValue::Text("a")}}),
            "(S eq 'a' or S lt 0 or S ge 0 or S lt 0.0 or S ge 0.0" + Dates("S") +
                " or S eq true or S eq false or S lt 0L or S ge 0L)");
  EXPECT_EQ(Filter({{"B", kEq, SqlValue::Integer(1)}}),
            "(B eq true or B ge '' or B lt 0 or B ge 0 or B lt 0.0 or B ge 0.0" + Dates("B") +
                " or B lt 0L or B ge 0L)");
}

// Numbers that the column shows are asked for anyway.
TEST(TypeArmsTest, BothBoundsOfARangeShareTheArms) {
  EXPECT_EQ(Filter({{"L", kGe, SqlValue::Integer(1)}, {"L", kLt, SqlValue::Integer(7)}}),
            "((L ge 1 and L lt 7) or (L ge 1L and L lt 7L) or L ge '' or L lt 0.0 or L ge 0.0" +
                Dates("L") + " or L eq true or L eq false)");
}

TEST(TypeArmsTest, EachTypeIsGivenToEveryPropertyBeforeTheNextType) {
  EXPECT_EQ(Filter({{"I", kEq, SqlValue::Integer(4)},
                    {"D", kLt, SqlValue::Integer(8)},
                    {"B", kEq, SqlValue::Integer(0)}}),
            "(I eq 4 or I ge '' or I lt 0.0 or I ge 0.0) and (D lt 8 or D lt 8L or D lt "
            "8.00000000000001 or D ge '') and (B eq false or B ge '' or B lt 0 or B ge 0)");
}

TEST(TypeArmsTest, NoConditionIsDropped) {
  std::vector<Asked> many;
  for (int i = 0; i < 12; ++i) many.push_back({"S", kGe, SqlValue::Text("a")});
  EXPECT_EQ(Filter(many).find(" or "), std::string::npos);
  EXPECT_EQ(Bind(many).query.clauses.size(), 1U);
  EXPECT_EQ(Bind(many).query.clauses[0][0].size(), 12U);
}

TEST(TypeArmsTest, AComparisonThatIsNeverTrueAsksForOtherTypesOnly) {
  EXPECT_EQ(Filter({{"I", kEq, SqlValue::Real(4.5)}, {"S", kEq, SqlValue::Text("a")}}),
            "(S eq 'a' or S lt 0 or S ge 0 or S lt 0.0 or S ge 0.0" + Dates("S") +
                ") and (I ge '' or I lt 0.0 or I ge 0.0" + Dates("I") +
                " or I eq true or I eq false)");
  EXPECT_TRUE(Bind({{"I", kEq, SqlValue::Null()}}).empty);
  EXPECT_FALSE(Bind({{"I", kEq, SqlValue::Text("five")}}).empty);
  EXPECT_TRUE(Bind({{"PartitionKey", kEq, SqlValue::Text("a/b")}}).empty);
  // Without room for an arm, no row can be read.
  std::vector<Asked> full;
  for (int i = 0; i < 12; ++i) full.push_back({"S", kGe, SqlValue::Text("a")});
  full.push_back({"I", kEq, SqlValue::Real(4.5)});
  EXPECT_TRUE(Bind(full).empty);
}

TEST(TypeArmsTest, PointsAndColumnsOfAnyTypeNeedNone) {
  const BoundPlan point = Bind({{"PartitionKey", kEq, SqlValue::Text("p")},
                                {"RowKey", kEq, SqlValue::Text("r")},
                                {"I", kEq, SqlValue::Real(4.5)}});
  EXPECT_FALSE(point.empty);
  EXPECT_TRUE(point.query.clauses.empty());
  SqlValue text = SqlValue::Text("a");
  EXPECT_EQ(Filter({{"A", kEq, text}}), "A eq 'a'");
  EXPECT_EQ(Filter({{"Timestamp", kLt, SqlValue::Text("2026")}}),
            "Timestamp lt datetime'2026-01-01T00:00:00.0000000Z'");
}

// Each comparison of an arm repeats the property's name.
TEST(TypeArmsTest, LongNamesLeaveLessRoom) {
  Schema schema;
  const std::string name(255, 'n');
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += "\xC3\xA9";
  schema.properties = {{name, name, EdmType::kInt32}, {wide, wide, EdmType::kInt32}};
  for (const std::string& property : {name, wide}) {
    ReadPlan plan;
    plan.conditions = {{property, kEq, 1}};
    BoundPlan read = BindRead(plan, {ReadArgument(SqlValue::Integer(4))}, schema, {}, true);
    AddTypeArms(read);
    const std::string filter = FilterText(read.query.filter, read.query.clauses);
    EXPECT_LT(filter.size(), 7'600U);
    EXPECT_NE(filter.find(" ge ''"), std::string::npos);
  }
}

// What pending entities add stays, and arms keep the conditions on other properties.
TEST(TypeArmsTest, ArmsOfAQueryWithPendingEntities) {
  EntityQuery query;
  query.clauses = {
      {{{"I", CompareOp::kEq, Value::Int32(4)}, {"S", CompareOp::kEq, Value::String("a")}},
       {{"RowKey", CompareOp::kEq, Value::String("r")}}}};
  AddTypeArms(query, {{"I", EdmType::kInt32}, {"S", EdmType::kString}});
  EXPECT_EQ(
      FilterText(query.filter, query.clauses),
      "((I eq 4 and S eq 'a') or RowKey eq 'r' or (I ge '' and S eq 'a') or (S lt 0 and I eq 4) "
      "or (S ge 0 and I eq 4) or (I ge "
      "datetime'1601-01-01T00:00:00.0000000Z' and S eq 'a'))");
}

}  // namespace
}  // namespace aztables
