// Gives test programs for the service the SQLite that they link, as aztables-server does, before
// the first test runs.
#include <gtest/gtest.h>

#include "server/sqlite_routines.h"

namespace aztables {
namespace {

class WithSqlite final : public testing::Environment {
 public:
  void SetUp() override {
    const Status status = TakeSqliteRoutines();
    ASSERT_TRUE(status.ok()) << status.message();
  }
};

[[maybe_unused]] testing::Environment* const kWithSqlite =
    testing::AddGlobalTestEnvironment(new WithSqlite);

}  // namespace
}  // namespace aztables
