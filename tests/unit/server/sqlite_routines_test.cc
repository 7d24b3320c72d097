// Checks TakeSqliteRoutines() from code that uses the extension API as the service does.
#include "server/sqlite_routines.h"

#include <gtest/gtest.h>
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3

#include "aztables.h"

namespace aztables {
namespace {

TEST(SqliteRoutines, AreThereOnceTaken) {
  for (int i = 0; i < 2; ++i) {
    const Status status = TakeSqliteRoutines();
    ASSERT_TRUE(status.ok()) << status.message();
    ASSERT_NE(sqlite3_api, nullptr);
  }
  EXPECT_GE(sqlite3_libversion_number(), AZTABLES_MIN_SQLITE_VERSION_NUMBER);
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE, nullptr), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, "CREATE TABLE t(a)", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_EQ(sqlite3_close(db), SQLITE_OK);
}

}  // namespace
}  // namespace aztables
