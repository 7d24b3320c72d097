// Checks creating, deleting and listing tables against a real table service, and errors for missing
// ones.
#include <algorithm>
#include <string>
#include <vector>

#include "contract_test_base.h"
#include "differences.h"

namespace aztables {
namespace {

using TablesTest = ContractTest;

TEST_F(TablesTest, CreateTwiceDeleteTwice) {
  const std::string table = FreshName();
  auto created = client().CreateTable(table, options_, cancel_);
  ASSERT_TRUE(created.ok()) << created.status().message();
  EXPECT_TRUE(*created);
  created = client().CreateTable(table, options_, cancel_);
  ASSERT_TRUE(created.ok()) << created.status().message();
  EXPECT_FALSE(*created) << "it existed";
  auto deleted = client().DeleteTable(table, options_, cancel_);
  ASSERT_TRUE(deleted.ok()) << deleted.status().message();
  EXPECT_TRUE(*deleted);
  deleted = client().DeleteTable(table, options_, cancel_);
  ASSERT_TRUE(deleted.ok()) << deleted.status().message();
  EXPECT_FALSE(*deleted) << "there was none";
}

TEST_F(TablesTest, NamesAreComparedWithoutCase) {
  std::string upper = table_;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const auto created = client().CreateTable(upper, options_, cancel_);
  ASSERT_TRUE(created.ok()) << created.status().message();
  EXPECT_FALSE(*created);
}

TEST_F(TablesTest, NamesThatAreRefused) {
  for (const char* name : {"1abc", "ab", "a_b"}) {
    const auto created = client().CreateTable(name, options_, cancel_);
    EXPECT_EQ(created.status().code(), Code::kError) << name;
    EXPECT_EQ(created.status().failure().http_status, 400);
    EXPECT_EQ(created.status().failure().code.empty(), Differs(Difference::kNamesOfTables));
    EXPECT_NE(created.status().message().find(std::string("creating table ") + name),
              std::string_view::npos)
        << created.status().message();
  }
}

TEST_F(TablesTest, List) {
  const std::string other = FreshName();
  ASSERT_TRUE(client().CreateTable(other, options_, cancel_).ok());
  const auto names = client().ListTables(options_, cancel_);
  ASSERT_TRUE(names.ok()) << names.status().message();
  EXPECT_EQ(std::count(names->begin(), names->end(), table_), 1);
  EXPECT_EQ(std::count(names->begin(), names->end(), other), 1);
  ASSERT_TRUE(client().DeleteTable(other, options_, cancel_).ok());
  const auto after = client().ListTables(options_, cancel_);
  ASSERT_TRUE(after.ok());
  EXPECT_EQ(std::count(after->begin(), after->end(), other), 0);
}

TEST_F(TablesTest, AnEmptyTable) {
  EXPECT_EQ(Read(Query()), KeyPairs{});
  EXPECT_EQ(Read(Point("p", "r")), KeyPairs{});
}

TEST_F(TablesTest, ReadingAMissingTable) {
  const std::string existing = std::exchange(table_, FreshName());
  for (const EntityQuery& query : {Query(), Point("p", "r"), Point("p", std::string(300, 'r'))}) {
    PageStream stream = Stream(query);
    const Status status = stream.NextPage(cancel_).status();
    EXPECT_EQ(status.code(), Code::kNotFound);
    EXPECT_EQ(status.failure().code, "TableNotFound");
    EXPECT_FALSE(status.failure().request_id.empty());
    EXPECT_NE(status.message().find("reading table " + table_), std::string_view::npos)
        << status.message();
    EXPECT_NE(status.message().find("aztables_create_table('demo." + table_ + "')"),
              std::string_view::npos);
  }
  table_ = existing;
}

TEST_F(TablesTest, ADeletedTableLosesItsEntities) {
  Write({{"p", "r", {}}});
  ASSERT_TRUE(client().DeleteTable(table_, options_, cancel_).ok());
  PageStream stream = Stream(Query());
  EXPECT_EQ(stream.NextPage(cancel_).status().code(), Code::kNotFound);
}

}  // namespace
}  // namespace aztables
