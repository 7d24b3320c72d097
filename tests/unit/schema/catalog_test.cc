// Checks that the catalog lists exactly the supported keys of connection strings.
#include "schema/catalog.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "auth/connection_keys.h"

namespace aztables {
namespace {

TEST(CatalogTest, ConnectionKeys) {
  std::vector<std::string_view> names;
  for (const CatalogEntry& entry : Catalog()) {
    if (entry.kind == "connection key") names.push_back(entry.name);
  }
  const auto keys = ConnectionKeys();
  EXPECT_EQ(names, std::vector<std::string_view>(keys.begin(), keys.end()));
}

}  // namespace
}  // namespace aztables
