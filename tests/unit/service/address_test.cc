// Checks the addresses in paths, and the path of an entity.
#include "service/address.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

using Resource = Address::Resource;

const ServesAccount kServes = [](std::string_view account) {
  return account == "shop" || account == "store-secondary" || account == "127";
};

// "kind account base table partition/row", or the code of the error.
std::string Shown(const Result<Address>& address) {
  if (!address.ok()) return address.status().failure().code;
  constexpr const char* kNames[] = {"service", "tables", "table", "entities", "entity", "batch"};
  std::string shown = kNames[static_cast<size_t>(address->resource)];
  shown += " " + address->account + (address->secondary ? "(2)" : "") + " [" + address->base + "]";
  if (!address->table.empty()) shown += " " + address->table;
  if (address->resource == Resource::kEntity) {
    shown += " " + address->partition_key + "/" + address->row_key;
  }
  return shown;
}

TEST(AddressTest, ResourcesOfTheOneAccount) {
  const struct {
    const char* path;
    const char* shown;
  } kPaths[] = {
      {"/", "service devstoreaccount1 []"},
      {"", "service devstoreaccount1 []"},
      {"/Tables", "tables devstoreaccount1 []"},
      {"/Tables()", "tables devstoreaccount1 []"},
      {"/Tables('x')", "table devstoreaccount1 [] x"},
      {"/Tables(%27x%27)", "table devstoreaccount1 [] x"},
      {"/Tables('it''s')", "table devstoreaccount1 [] it's"},
      {"/tables", "entities devstoreaccount1 [] tables"},
      {"/$batch", "batch devstoreaccount1 []"},
      {"/%24batch", "batch devstoreaccount1 []"},
      {"/T", "entities devstoreaccount1 [] T"},
      {"/T()", "entities devstoreaccount1 [] T"},
      {"/$MetricsHourPrimaryTransactionsTable",
       "entities devstoreaccount1 [] "
       "$MetricsHourPrimaryTransactionsTable"},
      {"/T(PartitionKey='p',RowKey='r')", "entity devstoreaccount1 [] T p/r"},
      {"/T(RowKey='r',PartitionKey='p')", "entity devstoreaccount1 [] T p/r"},
      {"/T(PartitionKey='',RowKey='')", "entity devstoreaccount1 [] T /"},
      {"/T(PartitionKey=%27a%27%27b%27,RowKey='%22%20%25')",
       "entity devstoreaccount1 [] T a'b/\" %"},
      {"/T(PartitionKey='a,b',RowKey=')')", "entity devstoreaccount1 [] T a,b/)"},
      {"/T(PartitionKey='\xC3\xA4',RowKey='%F0%9F%98%80')",
       "entity devstoreaccount1 [] T \xC3\xA4/\xF0\x9F\x98\x80"},
      {"/T(PartitionKey='+',RowKey='a%2Fb')", "entity devstoreaccount1 [] T +/a/b"},
      {"/shop/T", "InvalidUri"},
      {"/T/x", "InvalidUri"},
      {"/T(", "InvalidUri"},
      {"/T('x')", "InvalidUri"},
      {"/Tables('x'", "InvalidUri"},
      {"/Tables('x')y", "InvalidUri"},
      {"/Tables(x)", "InvalidUri"},
      {"/T(PartitionKey='p')", "InvalidUri"},
      {"/T(PartitionKey='p',RowKey='r'", "InvalidUri"},
      {"/T(PartitionKey='p',RowKey='r')x", "InvalidUri"},
      {"/T(PartitionKey='p',RowKey='it's')", "InvalidUri"},
      {"/T(PartitionKey=p,RowKey='r')", "InvalidUri"},
      {"/T(PartitionKey='p',PartitionKey='p')", "InvalidUri"},
      {"/T%FF", "InvalidInput"},
  };
  for (const auto& [path, shown] : kPaths) {
    EXPECT_EQ(Shown(ParseAddress(path, "", nullptr)), shown) << path;
  }
}

TEST(AddressTest, AccountsInThePathOrInTheHost) {
  const struct {
    const char* path;
    const char* host;
    const char* shown;
  } kPaths[] = {
      {"/shop/T", "127.0.0.1:10002", "entities shop [/shop] T"},
      {"/shop", "127.0.0.1:10002", "service shop [/shop]"},
      {"/shop/", "127.0.0.1:10002", "service shop [/shop]"},
      {"/shop/$batch", "", "batch shop [/shop]"},
      {"/shop-secondary/T", "", "entities shop(2) [/shop-secondary] T"},
      {"/store-secondary/T", "", "entities store-secondary [/store-secondary] T"},
      {"/store-secondary-secondary/T", "",
       "entities store-secondary(2) [/store-secondary-secondary] T"},
      {"/T", "shop.table.core.windows.net", "entities shop [] T"},
      {"/T", "shop-secondary.table.localhost:10002", "entities shop(2) [] T"},
      {"/T", "SHOP.Table.localhost", "entities shop [] T"},
      {"/", "shop.table.localhost", "service shop []"},
      // The host names the account: a table may have another account's name.
      {"/store", "shop.table.localhost", "entities shop [] store"},
      {"/shop", "shop.table.localhost", "entities shop [] shop"},
      // An IP address names no account.
      {"/shop/T", "127.0.0.1", "entities shop [/shop] T"},
      {"/127/T", "127.0.0.1:10002", "entities 127 [/127] T"},
      {"/127", "127.0.0.1", "service 127 [/127]"},
      {"/T", "[127.0::1]:10002", "ResourceNotFound"},
      // An account and the machine may have the same name.
      {"/shop/Tables", "shop.lan:10002", "tables shop [/shop]"},
      {"/shop/T", "SHOP.lan", "entities shop [/shop] T"},
      {"/shop", "shop.lan", "service shop [/shop]"},
      {"/T", "shop.lan", "entities shop [] T"},
      {"/shop/T", "shop.table.localhost", "entities shop [/shop] T"},
      {"/127/T", "shop.table.localhost", "entities 127 [/127] T"},
      {"/T", "127.0.0.1:10002", "ResourceNotFound"},
      {"/other/T", "127.0.0.1:10002", "ResourceNotFound"},
      {"/T", "", "ResourceNotFound"},
      {"/T", "other.table.localhost", "ResourceNotFound"},
      {"/shopper/T", "", "ResourceNotFound"},
  };
  for (const auto& [path, host, shown] : kPaths) {
    EXPECT_EQ(Shown(ParseAddress(path, host, kServes)), shown) << path << " " << host;
  }
}

TEST(AddressTest, HostsOfOtherAccounts) {
  const struct {
    const char* host;
    bool other;  // an account other than shop
  } kHosts[] = {
      {"", false},
      {"localhost:10002", false},
      {"127.0.0.1:10002", false},
      {"[::1]:10002", false},
      {"proxy.example", false},
      {"shop.table.core.windows.net", false},
      {"SHOP-secondary.table.localhost:10002", false},
      {"store-secondary.table.localhost", true},
      {"store-secondary.lan", true},
      {"unknown.table.localhost", false},
  };
  for (const auto& [host, other] : kHosts) {
    EXPECT_EQ(NamesOtherAccount(host, kServes, "shop"), other) << host;
  }
}

TEST(AddressTest, EntityPath) {
  EXPECT_EQ(EntityPath("T", "p", "r"), "T(PartitionKey='p',RowKey='r')");
  EXPECT_EQ(EntityPath("T", "", ""), "T(PartitionKey='',RowKey='')");
  EXPECT_EQ(EntityPath("T", ":@", "+,$"), "T(PartitionKey='%3A%40',RowKey='%2B%2C%24')");
  EXPECT_EQ(EntityPath("T", "'a''b'", "\xC3\xA4 "),
            "T(PartitionKey='''a''''b''',RowKey='%C3%A4%20')");
  for (const char* key : {"", "'", "''", "a'b", "%27", "a%b", "\xF0\x9F\x98\x80", "),(", "a b"}) {
    const auto address = ParseAddress("/" + EntityPath("T", key, "r"), "", nullptr);
    ASSERT_TRUE(address.ok()) << key;
    EXPECT_EQ(address->partition_key, key);
    EXPECT_EQ(address->row_key, "r");
  }
}

}  // namespace
}  // namespace aztables
