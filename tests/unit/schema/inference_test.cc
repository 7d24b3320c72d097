// Derives columns from a sample: types, order, clashes, number, and changes by a later sample.
#include "schema/inference.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace aztables {
namespace {

using Types = std::vector<std::pair<EdmType, size_t>>;

PropertyUse Use(const std::string& name, const Types& types) {
  PropertyUse use;
  use.name = name;
  use.types = types;
  for (const auto& [type, count] : types) use.entities += count;
  return use;
}

PropertyUse Use(const std::string& name, EdmType type = EdmType::kString, size_t count = 1) {
  return Use(name, Types{{type, count}});
}

TableSample Sample(std::vector<PropertyUse> properties) {
  TableSample sample;
  sample.entities = 100;
  sample.requests = 1;
  sample.properties = std::move(properties);
  return sample;
}

// "A INT32, B ANY"
std::string Columns(const Inference& inference) {
  std::string text;
  for (const Column& column : inference.schema.properties) {
    if (!text.empty()) text += ", ";
    text += column.name + " " + std::string(ColumnTypeName(column.type));
    if (column.property != column.name) text += " PROPERTY " + column.property;
  }
  return text;
}

TEST(InferenceTest, EveryTypeInTheOrderOfTheSample) {
  const Inference inference = InferColumns(
      Sample({Use("S"), Use("I", EdmType::kInt32), Use("L", EdmType::kInt64),
              Use("D", EdmType::kDouble), Use("B", EdmType::kBoolean), Use("T", EdmType::kDateTime),
              Use("G", EdmType::kGuid), Use("X", EdmType::kBinary), Use("N", EdmType::kNull)}),
      {}, {}, 300);
  EXPECT_EQ(Columns(inference),
            "S STRING, I INT32, L INT64, D DOUBLE, B BOOLEAN, T DATETIME, G GUID, X BINARY, N ANY");
  EXPECT_TRUE(inference.Unshown().empty());
}

TEST(InferenceTest, TypesThatDisagreeAreAny) {
  const Inference inference =
      InferColumns(Sample({Use("A", {{EdmType::kInt32, 99}, {EdmType::kBoolean, 1}}),
                           Use("B", {{EdmType::kString, 5}, {EdmType::kNull, 1}}),
                           Use("C", {{EdmType::kInt32, 2}, {EdmType::kNull, 1}})}),
                   {}, {}, 300);
  EXPECT_EQ(Columns(inference), "A ANY, B ANY, C ANY");
  EXPECT_EQ(TypesSeen(inference.properties[0].use), "INT32 99, BOOLEAN 1");
  EXPECT_EQ(TypesSeen(inference.properties[1].use), "STRING 5, ANY 1");
}

// The same property with Int64 values that a Double cannot hold.
PropertyUse Inexact(PropertyUse use) {
  use.exact = false;
  return use;
}

TEST(InferenceTest, NumbersOfSeveralTypesAreTheWidest) {
  constexpr auto kInt32 = EdmType::kInt32;
  constexpr auto kInt64 = EdmType::kInt64;
  constexpr auto kDouble = EdmType::kDouble;
  const Types ints = {{kInt32, 99}, {kInt64, 1}};
  const Types all = {{kInt64, 9}, {kInt32, 5}, {kDouble, 1}};
  const Types long_first = {{kInt64, 2}, {kDouble, 1}};
  const Inference inference = InferColumns(
      Sample({Use("A", ints), Inexact(Use("B", ints)), Use("C", {{kInt32, 1}, {kDouble, 1}}),
              Use("D", {{kDouble, 2}, {kInt64, 1}}), Inexact(Use("E", long_first)), Use("F", all),
              Inexact(Use("G", all)),
              Use("H", {{kInt32, 5}, {kDouble, 2}, {EdmType::kString, 1}})}),
      {}, {}, 300);
  EXPECT_EQ(Columns(inference),
            "A INT64, B INT64, C DOUBLE, D DOUBLE, E ANY, F DOUBLE, G ANY, H ANY");
  EXPECT_EQ(inference.properties[5].type, kDouble);
  EXPECT_EQ(TypesSeen(inference.properties[0].use), "INT32 99, INT64 1");
}

TEST(InferenceTest, ARefreshWidensNumbers) {
  const std::vector<Column> earlier = {{"A", "A", EdmType::kInt32},  {"B", "B", EdmType::kInt64},
                                       {"C", "C", EdmType::kInt32},  {"D", "D", EdmType::kInt64},
                                       {"E", "E", EdmType::kInt64},  {"F", "F", EdmType::kDouble},
                                       {"G", "G", EdmType::kDouble}, {"H", "H", EdmType::kNull}};
  const Types both = {{EdmType::kInt64, 1}, {EdmType::kDouble, 1}};
  const Inference inference = InferColumns(
      Sample({Use("A", EdmType::kInt64), Use("B", EdmType::kInt32), Use("C", EdmType::kDouble),
              Use("D", EdmType::kDouble), Use("E", both), Use("F", EdmType::kInt64),
              Inexact(Use("G", EdmType::kInt64)), Use("H", EdmType::kInt32)}),
      {}, earlier, 300);
  // The earlier Int64 values of D are unknown.
  EXPECT_EQ(Columns(inference),
            "A INT64, B INT64, C DOUBLE, D ANY, E DOUBLE, F DOUBLE, G ANY, H ANY");
}

TEST(InferenceTest, NamesThatClashGetNoColumn) {
  const Inference inference = InferColumns(
      Sample({Use("Rating"), Use("rating"), Use("_etag"), Use("_ENTITY"), Use("_command"),
              Use("rowid"), Use("OID"), Use("timestamp"), Use("rowkey"), Use("Good")}),
      {}, {}, 300);
  EXPECT_EQ(Columns(inference), "Rating STRING, Good STRING");
  const auto lines = inference.Unshown();
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_EQ(
      lines[0],
      "'rating': two columns are named Rating (SQLite ignores case); write: other_name STRING "
      "PROPERTY 'rating'");
  EXPECT_EQ(lines[4],
            "'rowid': the column name rowid is taken; write: other_name STRING PROPERTY "
            "'rowid'");
}

TEST(InferenceTest, NamesThatCannotBeDeclaredGetNoColumn) {
  const Inference inference = InferColumns(Sample({Use("a-b"), Use("1st"), Use("ok")}), {}, {}, 9);
  EXPECT_EQ(Columns(inference), "ok STRING");
  EXPECT_EQ(inference.Unshown().size(), 2u);
}

TEST(InferenceTest, TheMostFrequentOnly) {
  std::vector<PropertyUse> uses;
  for (int i = 0; i < 400; ++i) uses.push_back(Use("P" + std::to_string(i)));
  const Inference inference = InferColumns(Sample(uses), {}, {}, 300);
  EXPECT_EQ(inference.schema.properties.size(), 300u);
  EXPECT_EQ(inference.schema.properties.back().name, "P299");
  EXPECT_EQ(inference.Unshown().size(), 100u);
  EXPECT_EQ(inference.Unshown()[0], "'P300': not among the 300 most frequent");
  EXPECT_EQ(inference.properties.size(), 400u);
}

// A quadratic step would take minutes.
TEST(InferenceTest, VeryManyProperties) {
  constexpr int kMany = 100'000;
  std::vector<PropertyUse> uses;
  for (int i = 0; i < kMany; ++i) uses.push_back(Use("P" + std::to_string(1'000'000 + i)));
  uses.push_back(Use("p1099999"));
  const Inference inference = InferColumns(Sample(std::move(uses)), {}, {}, kMany + 1);
  EXPECT_EQ(inference.schema.properties.size(), size_t{kMany});
  EXPECT_EQ(inference.Unshown().size(), 1u);
}

// If two names differ in case, the first has a column if it is among the most frequent ones.
TEST(InferenceTest, ANameClashesWithColumnsOnly) {
  const Inference inference = InferColumns(Sample({Use("A"), Use("B"), Use("b")}), {}, {}, 1);
  EXPECT_EQ(inference.Unshown(), (std::vector<std::string>{"'B': not among the 1 most frequent",
                                                           "'b': not among the 1 most frequent"}));
}

TEST(InferenceTest, DeclaredColumnsStay) {
  Schema declared;
  declared.properties = {{"first", "A", EdmType::kInt32}, {"B", "Other", EdmType::kString}};
  const Inference inference =
      InferColumns(Sample({Use("A", EdmType::kDouble), Use("B"), Use("C")}), declared, {}, 300);
  EXPECT_EQ(Columns(inference), "first INT32 PROPERTY A, B STRING PROPERTY Other, C STRING");
  EXPECT_EQ(inference.properties[0].column, "first");
  EXPECT_EQ(inference.properties[1].column, "");
}

TEST(InferenceTest, ARefreshAddsAndWidensAndRemovesNothing) {
  const std::vector<Column> earlier = {{"Gone", "Gone", EdmType::kInt32},
                                       {"Same", "Same", EdmType::kInt64},
                                       {"Wider", "Wider", EdmType::kInt32},
                                       {"Any", "Any", EdmType::kNull}};
  const Inference inference =
      InferColumns(Sample({Use("New"), Use("Wider", EdmType::kString), Use("Same", EdmType::kInt64),
                           Use("Any", EdmType::kGuid), Use("More")}),
                   {}, earlier, 5);
  EXPECT_EQ(Columns(inference), "Gone INT32, Same INT64, Wider ANY, Any ANY, New STRING");
  EXPECT_EQ(inference.Unshown(), std::vector<std::string>{"'More': not among the 5 most frequent"});
}

TEST(InferenceTest, AnEmptySampleGivesNoColumns) {
  TableSample empty;
  empty.complete = true;
  EXPECT_EQ(Columns(InferColumns(empty, {}, {}, 300)), "");
}

}  // namespace
}  // namespace aztables
