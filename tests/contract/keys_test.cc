// Checks against a real table service that every legal key is found by address, range and filter,
// and the order of keys.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "contract_test_base.h"
#include "support/texts.h"

namespace aztables {
namespace {

using support::Repeat;
using KeysTest = ContractTest;

std::vector<std::string> OddKeys() {
  return {
      "",
      " ",
      " a b ",
      "'",
      "''",
      "O'Brien",
      "x',RowKey='y",
      "%",
      "%2F",
      "100%25",
      "%27",
      "+",
      "a+b",
      "&$top=1",
      "=",
      ";",
      ":@,$!*",
      "()",
      "(PartitionKey='a')",
      "\"<>{}[]|^`~",
      ".",
      "..",
      "a' or RowKey ge '",
      "\xC3\xA9",
      "e\xCC\x81",  // looks the same, but the service distinguishes them
      "\xE5\x90\x8D\xE5\x89\x8D",
      "\xF0\x9F\x98\x80",
      "\xF0\x90\x80\x80",
      "\xEE\x80\x80",
      "\xEF\xBF\xBD",
      "\xC2\xA0",
      "\xE2\x80\x8B",
      "0",
      "00",
      "1e3",
      "null",
      std::string(512, 'k'),
      Repeat("'", 512),
      Repeat("\xE5\x90\x8D", 512),
      Repeat("\xF0\x9F\x98\x80", 256),  // 512 UTF-16 code units
  };
}

TEST_F(KeysTest, OddKeysAreFoundByTheirAddress) {
  const std::vector<std::string> keys = OddKeys();
  std::vector<Entity> entities;
  entities.reserve(2 * keys.size());
  for (const std::string& key : keys) entities.push_back({key, key, {}});
  Write(entities);
  for (const std::string& key : keys) {
    EXPECT_EQ(Read(Point(key, key)), (KeyPairs{{key, key}})) << key;
    EXPECT_EQ(Read(Point(key, key + "x")), KeyPairs{}) << key;
  }
}

TEST_F(KeysTest, OddKeysAreFoundByFilter) {
  const std::vector<std::string> keys = OddKeys();
  std::vector<Entity> entities;
  entities.reserve(2 * keys.size());
  for (const std::string& key : keys) entities.push_back({"p", key, {}});
  for (const std::string& key : keys) entities.push_back({key, "q", {}});
  Write(entities);
  for (const std::string& key : keys) {
    EntityQuery query = Query();
    query.filter = {{"PartitionKey", CompareOp::kEq, Value::String(key)}};
    EXPECT_EQ(Read(query), (KeyPairs{{key, "q"}})) << key;
    query.filter = {{"PartitionKey", CompareOp::kEq, Value::String("p")},
                    {"RowKey", CompareOp::kGe, Value::String(key)},
                    {"RowKey", CompareOp::kLe, Value::String(key)}};
    EXPECT_EQ(Read(query), (KeyPairs{{"p", key}})) << key;
    query.filter = {{"PartitionKey", CompareOp::kGt, Value::String("p")},
                    {"PartitionKey", CompareOp::kLt, Value::String("p")},
                    {"RowKey", CompareOp::kEq, Value::String(key)}};
    EXPECT_EQ(Read(query), KeyPairs{}) << key;
  }
}

TEST_F(KeysTest, RangesByEveryOperator) {
  Write({{"p", "a", {}}, {"p", "b", {}}, {"p", "b'", {}}, {"p", "c", {}}, {"q", "b", {}}});
  const auto rows = [&](CompareOp op) {
    EntityQuery query = Query();
    query.filter = {{"PartitionKey", CompareOp::kEq, Value::String("p")},
                    {"RowKey", op, Value::String("b")}};
    std::string found;
    for (const auto& [partition_key, row_key] : Read(query)) found += row_key + " ";
    return found;
  };
  EXPECT_EQ(rows(CompareOp::kEq), "b ");
  EXPECT_EQ(rows(CompareOp::kLt), "a ");
  EXPECT_EQ(rows(CompareOp::kLe), "a b ");
  EXPECT_EQ(rows(CompareOp::kGt), "b' c ");
  EXPECT_EQ(rows(CompareOp::kGe), "b b' c ");
}

// Keys in the service's order, by UTF-16 code unit: characters above the BMP precede U+E000.
const char* const kInOrder[] = {"",
                                " ",
                                "!",
                                "'",
                                "-",
                                "0",
                                "10",
                                "9",
                                "A",
                                "B",
                                "Z",
                                "_",
                                "a",
                                "a b",
                                "a'b",
                                "aB",
                                "ab",
                                "b",
                                "z",
                                "~",
                                "\xC3\x9F",
                                "\xC3\xA9",
                                "\xE5\x90\x8D",
                                "\xED\x9F\xBF",
                                "\xF0\x90\x80\x80",
                                "\xF0\x9F\x98\x80",
                                "\xF4\x8F\xBF\xBF",
                                "\xEE\x80\x80",
                                "\xEF\xBF\xBD"};

TEST_F(KeysTest, Order) {
  std::vector<Entity> entities;
  for (const char* key : kInOrder) {
    entities.push_back({"p", key, {}});
    if (std::string_view(key) != "p") entities.push_back({std::string(key) + "P", "r", {}});
  }
  std::reverse(entities.begin(), entities.end());
  Write(entities);
  EntityQuery rows = Query();
  rows.filter = {{"PartitionKey", CompareOp::kEq, Value::String("p")}};
  KeyPairs expected;
  for (const char* key : kInOrder) expected.emplace_back("p", key);
  EXPECT_EQ(Read(rows), expected);
}

TEST_F(KeysTest, OrderOfPartitions) {
  std::vector<Entity> entities;
  for (const char* key : kInOrder) entities.push_back({key, "r", {}});
  std::reverse(entities.begin(), entities.end());
  Write(entities);
  KeyPairs expected;
  for (const char* key : kInOrder) expected.emplace_back(key, "r");
  EXPECT_EQ(Read(Query()), expected);
}

TEST_F(KeysTest, BoundsAreComparedInTheSameOrder) {
  std::vector<Entity> entities;
  for (const char* key : kInOrder) entities.push_back({"p", key, {}});
  Write(entities);
  for (size_t i = 0; i < std::size(kInOrder); ++i) {
    EntityQuery query = Query();
    query.filter = {{"PartitionKey", CompareOp::kEq, Value::String("p")},
                    {"RowKey", CompareOp::kGe, Value::String(kInOrder[i])}};
    EXPECT_EQ(Read(query).size(), std::size(kInOrder) - i) << kInOrder[i];
    query.filter[1].op = CompareOp::kLt;
    EXPECT_EQ(Read(query).size(), i) << kInOrder[i];
  }
}

TEST_F(KeysTest, KeysThatAreTooLong) {
  // The documented limits are 1 KiB, 64 KiB and 1024 characters.
  WriteLog log;
  ASSERT_TRUE(support::Insert(log, 1, {"p", std::string(1025, 'k'), {}}).ok());
  const Status status = Commit(log);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.failure().http_status, 400);
  EXPECT_EQ(status.failure().operation_index, 0);
  EXPECT_FALSE(status.failure().may_have_reached);
}

}  // namespace
}  // namespace aztables
