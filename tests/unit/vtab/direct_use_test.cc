// Checks which texts call a function or change a table directly. Strings, comments, names, and text
// that modules quote from a file do not.
#include "vtab/trust/direct_use.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

TEST(DirectUseTest, Calls) {
  for (const char* sql : {
           "SELECT drop_it('a.b')",
           "select DROP_IT ( 'a.b' )",
           "; SELECT drop_it('a.b')",
           "\xEF\xBB\xBFSELECT drop_it('a.b')",
           "SELECT drop_it /* here */ -- and\n ('a.b')",
           "/* first */ SELECT 1, drop_it(?1)",
           "VALUES (drop_it(:table))",
           "WITH gone(n) AS (SELECT drop_it('a.b')) SELECT n FROM gone",
           "WITH names(n) AS (VALUES ('a'), ('b')) SELECT drop_it('x.' || n) FROM names",
           "SELECT * FROM t WHERE x = drop_it('a.b')",
           "SELECT * FROM t WHERE x IS NOT DISTINCT FROM drop_it('a.b')",
           "SELECT * FROM t JOIN u ON drop_it('a.b')",
           "SELECT CASE WHEN drop_it('a') THEN drop_it('b') ELSE 0 END",
           "SELECT 1 WHERE NOT drop_it('a.b')",
           "SELECT a FROM t ORDER BY drop_it('a.b') LIMIT 1",
           "SELECT 'a'->>drop_it('a.b')",
           "SELECT DISTINCT drop_it('a.b')",
           "SELECT \"drop_it\", drop_it('a.b')",
           "INSERT INTO log SELECT name, drop_it('x.' || name) FROM old",
           "INSERT INTO log(id) VALUES (1) RETURNING drop_it('a.b')",
           "UPDATE log SET n = drop_it('a.b')",
           "DELETE FROM log WHERE drop_it('a.b')",
           "REPLACE INTO log VALUES (coalesce(drop_it('a.b'), 0))",
           "CREATE TABLE done AS SELECT drop_it('a.b') AS n",
           "CREATE TEMP TABLE IF NOT EXISTS temp.done AS WITH c AS (SELECT 1) SELECT drop_it('a')",
       }) {
    EXPECT_TRUE(CallsFunction(sql, "drop_it")) << sql;
  }
}

TEST(DirectUseTest, NoCalls) {
  for (const char* sql : {
           "",
           "SELECT 1",
           "SELECT drop_it",
           "SELECT 'drop_it(1)'",
           "SELECT 'it''s drop_it(1)'",
           "SELECT 1 -- drop_it(1)",
           "SELECT 1 /* drop_it(1) */",
           "SELECT \"drop_it\"(1)",
           "SELECT [drop_it](1)",
           "SELECT `drop_it`(1)",
           "SELECT \"drop_it(1)\", `drop_it(1)`, [drop_it(1)] FROM t",
           "SELECT drop_it2(1), my_drop_it(1), $drop_it(1)",
           "SELECT :drop_it, @drop_it, ?1",
           "SELECT * FROM drop_it(1)",
           "SELECT * FROM t JOIN drop_it(1)",
           "SELECT * FROM t WHERE x IN drop_it(1)",
           "SELECT main.drop_it(1)",
           "SELECT 1 AS drop_it (1)",
           "INSERT INTO drop_it(a) VALUES (1)",
           "INSERT INTO notes(id, body) VALUES (1, 'drop_it(')",
           "PRAGMA quick_check('drop_it(')",
           "PRAGMA main.quick_check='drop_it(1)'",
           "PRAGMA drop_it(1)",
           "PRAGMA user_version = drop_it(1)",
           "CREATE TABLE notes(id, CHECK (drop_it('a.b')))",
           "CREATE TABLE notes(id, drop_it(5) AS (1))",
           "CREATE VIEW v AS SELECT drop_it(1)",
           "CREATE TEMP VIEW v AS SELECT drop_it(1)",
           "CREATE TRIGGER r AFTER INSERT ON notes BEGIN SELECT drop_it('a') AS x; END",
           "CREATE VIRTUAL TABLE f USING fts5(drop_it(a), as drop_it(1))",
           "CREATE INDEX i ON notes(drop_it(id))",
           "VACUUM",
           "EXPLAIN SELECT drop_it(1)",
       }) {
    EXPECT_FALSE(CallsFunction(sql, "drop_it")) << sql;
  }
}

std::string Changed(const char* sql) {
  const auto table = ChangedTable(sql);
  return table ? (table->schema.empty() ? "" : table->schema + ".") + table->name : "none";
}

TEST(DirectUseTest, ChangedTables) {
  const struct {
    const char* sql;
    const char* table;
  } cases[] = {
      {"INSERT INTO t VALUES (1)", "t"},
      {"insert or replace into Main.T(a) select 1", "main.t"},
      {"INSERT OR IGNORE INTO \"odd \"\"name\" DEFAULT VALUES", "odd \"name"},
      {"INSERT INTO \"main\".\"t\" VALUES(?,?)", "main.t"},
      {"INSERT INTO [t](a) VALUES (1)", "t"},
      {"INSERT INTO `t`(a) VALUES (1)", "t"},
      {"REPLACE INTO temp . t VALUES (1)", "temp.t"},
      {"UPDATE t SET a = 1", "t"},
      {";; /* c */ ; UPDATE t SET a = 1", "t"},
      {"UPDATE OR FAIL x.t AS y SET a = 1 FROM u", "x.t"},
      {"/* why */ DELETE FROM t", "t"},
      {"DELETE FROM main.t WHERE a IN (SELECT a FROM u)", "main.t"},
      {"WITH c AS (SELECT 1), d(x) AS (SELECT (2)) INSERT INTO t SELECT * FROM c", "t"},
      {"WITH RECURSIVE c AS (DELETE) DELETE FROM t", "t"},
      {"WITH replace AS (SELECT 1) UPDATE t SET a = 1", "t"},
      {"INSERT INTO 't' VALUES (1)", "none"},
      {"UPDATE 'main'.'t' SET a = 1", "none"},
      {"INSERT INTO main.'t' VALUES (1)", "none"},
      {"DELETE FROM 'main'.t", "none"},
      {"INSERT INTO ?1 VALUES (1)", "none"},
      {"SELECT * FROM t", "none"},
      {"WITH c AS (SELECT 1) SELECT * FROM c", "none"},
      {"SELECT 'INSERT INTO t'", "none"},
      {"CREATE TRIGGER r AFTER INSERT ON u BEGIN DELETE FROM t; END", "none"},
      {"EXPLAIN INSERT INTO t VALUES (1)", "none"},
      {"VACUUM", "none"},
      {"", "none"},
  };
  for (const auto& c : cases) EXPECT_EQ(Changed(c.sql), c.table) << c.sql;
}

TEST(DirectUseTest, VirtualTables) {
  EXPECT_TRUE(CreatesVirtualTable("CREATE VIRTUAL TABLE t USING aztables(A INT32)"));
  EXPECT_TRUE(CreatesVirtualTable("; /* new */ create virtual table if not exists a.b using x"));
  for (const char* sql : {"", "CREATE TABLE t(a) /* CREATE VIRTUAL TABLE */", "VACUUM",
                          "VACUUM INTO 'CREATE VIRTUAL TABLE'", "SELECT 1"}) {
    EXPECT_FALSE(CreatesVirtualTable(sql)) << sql;
  }
}

TEST(DirectUseTest, FirstWords) {
  EXPECT_TRUE(BeginsWith("WITH c AS (SELECT 1) SELECT 1", "with"));
  EXPECT_TRUE(BeginsWith(" ;; -- one\n With", "with"));
  EXPECT_FALSE(BeginsWith("\"with\"", "with"));
  EXPECT_FALSE(BeginsWith("", "with"));
}

}  // namespace
}  // namespace aztables
