// Columns of a declaration: the error messages, and time that is linear in the number of columns
// and the length of words. Quadratic steps would take hours at these sizes.
#include "schema/columns.h"

#include <gtest/gtest.h>

#include <string>

#include "schema/options.h"

namespace aztables {
namespace {

constexpr size_t kLong = 200'000;

std::string DeclarationError(const std::vector<std::string>& arguments) {
  TableDeclaration declaration;
  return std::string(ParseDeclaration("t", arguments, declaration).message());
}

TEST(ColumnsTest, AHundredThousandColumns) {
  ColumnNames names;
  for (int i = 0; i < 100'000; ++i) {
    const std::string name = "c" + std::to_string(1'000'000 + i);
    ASSERT_TRUE(names.Add({name, "P", EdmType::kString}).ok());
  }
  EXPECT_EQ(names.Check({"C1099999", "Q", EdmType::kInt32}).message(),
            "two columns are named c1099999 (SQLite ignores case); write: other_name INT32 "
            "PROPERTY 'Q'");
  EXPECT_TRUE(names.Check({"C1100000", "Q", EdmType::kInt32}).ok());
}

TEST(ColumnsTest, CheckAddsNothing) {
  ColumnNames names(Schema{{{"A", "A", EdmType::kString}}});
  EXPECT_TRUE(names.Check({"B", "B", EdmType::kString}).ok());
  EXPECT_TRUE(names.Add({"B", "B", EdmType::kString}).ok());
  EXPECT_FALSE(names.Add({"b", "B", EdmType::kString}).ok());
  EXPECT_FALSE(names.Add({"a", "B", EdmType::kString}).ok());
}

TEST(ColumnsTest, LongWords) {
  const std::string word(kLong, 'x');
  const std::string odd = "x " + word + " y";
  EXPECT_EQ(DeclarationError({word + " INT32 PROPERTY 'A'"}), "");
  for (const std::string& argument :
       {word, word + " INT32", word + " " + word, "A " + word, "A INT32 " + word, "'" + word,
        "A PROPERTY '" + word + "'", "A PROPERTY " + word, "\"" + odd + "\" STRING", odd,
        word + "=1", "table=" + word, "retries=" + word, "connection=" + word + "=",
        "A VARCHAR(" + word, "A VARCHAR(" + word + ") " + word, std::string(kLong, '(')}) {
    const std::string error = DeclarationError({argument});
    EXPECT_NE(error, "") << argument.substr(0, 40);
    EXPECT_LT(error.size(), 600u) << error.substr(0, 600);
  }
  const std::string twice =
      DeclarationError({word + " INT32 PROPERTY A", word + " INT32 PROPERTY A"});
  EXPECT_EQ(twice,
            "two columns are named (a text that is not shown) (SQLite ignores case); write: "
            "other_name INT32 PROPERTY 'A'");
}

TEST(ColumnsTest, APropertyNameHas255Characters) {
  const std::string longest(255, 'x');
  EXPECT_EQ(DeclarationError({longest + " INT32"}), "");
  EXPECT_EQ(
      DeclarationError({longest + "x INT32"}),
      "(a text that is not shown) is too long for a property name: it may have 255 characters");
}

}  // namespace
}  // namespace aztables
