// Checks the type names that functions accept: those of column declarations and EDM's own.
#include <gtest/gtest.h>

#include "schema/columns.h"

namespace aztables {
namespace {

TEST(TypeNameTest, EveryNameInAnyCase) {
  constexpr std::pair<const char*, EdmType> kCases[] = {
      {"STRING", EdmType::kString},
      {"text", EdmType::kString},
      {"VARCHAR", EdmType::kString},
      {"VarChar(20)", EdmType::kString},
      {" varchar ( 20 ) ", EdmType::kString},
      {"edm.string", EdmType::kString},
      {"INT", EdmType::kInt32},
      {"Int32", EdmType::kInt32},
      {"Edm.Int32", EdmType::kInt32},
      {"INTEGER", EdmType::kInt64},
      {"BigInt", EdmType::kInt64},
      {"EDM.INT64", EdmType::kInt64},
      {"real", EdmType::kDouble},
      {"FLOAT", EdmType::kDouble},
      {"Edm.Double", EdmType::kDouble},
      {"bool", EdmType::kBoolean},
      {"Edm.Boolean", EdmType::kBoolean},
      {"timestamp", EdmType::kDateTime},
      {"Edm.DateTime", EdmType::kDateTime},
      {"uuid", EdmType::kGuid},
      {"Edm.Guid", EdmType::kGuid},
      {"blob", EdmType::kBinary},
      {"Edm.Binary", EdmType::kBinary},
      {"any", EdmType::kNull},
  };
  for (const auto& [name, type] : kCases) EXPECT_EQ(TypeFromName(name), type) << name;
}

TEST(TypeNameTest, Refusals) {
  for (const char* name : {"", " ", "null", "Edm.", "Edm.Any", "Edm.Decimal", "INT 32", "INT(4)",
                           "VARCHAR(", "VARCHAR()", "VARCHAR(x)", "VARCHAR(20", "VARCHAR 20",
                           "VARCHAR(20) x", "STRING PROPERTY 'x'", "'INT'", "INT32;"}) {
    EXPECT_EQ(TypeFromName(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace aztables
