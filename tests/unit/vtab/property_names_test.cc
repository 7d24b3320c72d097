// Checks which names of properties are known and which columns are valid. property_case_test.py
// checks the errors, since SQLite decides which names need quotes.
#include "vtab/session/property_names.h"

#include <gtest/gtest.h>

namespace aztables {
namespace {

PropertyNames Known(std::initializer_list<const char*> all) {
  PropertyNames names;
  for (const char* name : all) names.Add(name);
  return names;
}

std::string Message(const PropertyNames& names, const Column& column,
                    const std::vector<Column>& others = {}) {
  Schema schema;
  schema.properties = {column};
  schema.properties.insert(schema.properties.end(), others.begin(), others.end());
  return std::string(CheckName(names, schema, column).message());
}

TEST(PropertyNamesTest, OtherCase) {
  const PropertyNames names = Known({"Qty", "PRICE", "price", "Other"});
  EXPECT_EQ(names.OtherCase("qty"), "Qty");
  EXPECT_EQ(names.OtherCase("Qty"), "");
  EXPECT_EQ(names.OtherCase("price"), "");
  EXPECT_EQ(names.OtherCase("Price"), "PRICE");
  EXPECT_EQ(names.OtherCase("qt"), "");
  EXPECT_EQ(PropertyNames().OtherCase("qty"), "");
}

TEST(CheckNameTest, IsSilentIfTheNameMayBeMeant) {
  const Column column{"qty", "qty", EdmType::kInt32};
  EXPECT_EQ(Message(Known({}), column), "");
  EXPECT_EQ(Message(Known({"Q", "Qt"}), column), "");
  EXPECT_EQ(Message(Known({"Qty", "qty"}), column), "");
  // Both are declared, so both are intended.
  EXPECT_EQ(Message(Known({"Qty"}), column, {{"upper", "Qty", EdmType::kInt32}}), "");
}

}  // namespace
}  // namespace aztables
