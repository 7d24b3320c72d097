// Gives the tests of a program the SQLite that the program links, as aztables-server does, before
// the first of them runs. Linked by what tests the service.
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
