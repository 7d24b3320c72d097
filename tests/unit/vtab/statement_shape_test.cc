// Checks which statements are plain: the table of each plain one, and nothing for texts in which a
// constraint may have another meaning.
#include "vtab/scan/statement_shape.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

// "schema.table" or "table" of a plain statement; empty: it is not plain.
std::string Shown(const char* sql) {
  const auto table = PlainTable(sql);
  if (!table) return "";
  return (table->schema.empty() ? "" : table->schema + ".") + table->name;
}

TEST(StatementShapeTest, PlainStatements) {
  struct Case {
    const char* sql;
    const char* table;
  };
  const Case cases[] = {
      {"SELECT * FROM t", "t"},
      {"select a, b from Movies where x < ? order by a, b", "movies"},
      {"SELECT a FROM main.t AS x WHERE x.a < :from;", "main.t"},
      {"SELECT a FROM main . t x\tGROUP BY a", "main.t"},
      {"SELECT count(*) FROM\n\"odd \"\"name\" -- FROM u\n WHERE 1", "odd \"name"},
      {"SELECT /* FROM u, */ 1 FROM [a b]", "a b"},
      {"SELECT 1 FROM `t``u` LIMIT ?1", "t`u"},
      {"SELECT ' FROM ', 'it''s', x'46' FROM t HAVING a < 'x, y'", "t"},
      {"SELECT 1 FROM t WHERE a IS NOT DISTINCT FROM ? AND b IS NULL AND c IS NOT NULL", "t"},
      {"SELECT a FROM t \"as it is\" WHERE 1", "t"},
      {"SELECT a FROM Größe", "größe"},
      {"SELECT a FROM t -- the last line", "t"},
      {"SELECT a FROM t /* not ended", "t"},
      {"SELECT a FROM t WHERE RowKey >= 1420070400 AND RowKey < 1420077600", "t"},
      {"SELECT a FROM t WHERE RowKey BETWEEN 1 AND -2 AND N = 5", "t"},
      {"SELECT a FROM t WHERE RowKey NOT BETWEEN lower('A' AND (N)) AND ?", "t"},
      {"SELECT a FROM t WHERE RowKey IN (1, -2.5, 'x', ?3)", "t"},
      {"SELECT a FROM t WHERE 5 = RowKey OR 1.5 <= RowKey", "t"},
      {"SELECT a FROM t WHERE RowKey <> -5 AND RowKey != 5 + N AND lower(a) == ?", "t"},
      {"SELECT a FROM t WHERE RowKey < lower(N) AND (a OR b) AND c", "t"},
      {"SELECT a FROM t WHERE RowKey IN () AND S IN (lower('A'), x'00', NULL)", "t"},
      {"DELETE FROM t WHERE k < ? RETURNING k", "t"},
      {"DELETE FROM temp.t AS x", "temp.t"},
      {"UPDATE t SET a = b, c = (d IN (e)) WHERE k < ?", "t"},
      {"UPDATE OR REPLACE main.\"t\" AS x SET a = 1 RETURNING a IS NOT DISTINCT FROM 1", "main.t"},
  };
  for (const Case& c : cases) EXPECT_EQ(Shown(c.sql), c.table) << c.sql;
}

TEST(StatementShapeTest, OthersAreNotPlain) {
  for (const char* sql : {
           "",
           ";",
           "SELECT 1",
           "INSERT INTO t VALUES (?)",
           "DELETE FROM t WHERE k = N",
           "DELETE FROM t WHERE k IN (SELECT 1)",
           "DELETE FROM t INDEXED BY i WHERE k = 1",
           "WITH u AS (SELECT 1) DELETE FROM t",
           "UPDATE t SET a = (SELECT 1 FROM u)",
           "UPDATE t SET a = CAST(b AS TEXT)",
           "UPDATE t SET a = 1 FROM u",
           "UPDATE t INDEXED BY i SET a = 1 FROM u",
           "UPDATE t SET a = 1 WHERE k = a",
           "REPLACE INTO t VALUES (1)",
           "EXPLAIN SELECT a FROM t",
           "FROM",
           "SELECT a FROM",
           "SELECT a FROM t, u",
           "SELECT a FROM t x, u",
           "SELECT a FROM t AS x, u",
           "SELECT a FROM t JOIN u",
           "SELECT a FROM t /**/ NATURAL LEFT\nJOIN u",
           "SELECT a FROM (t)",
           "SELECT a FROM (SELECT a FROM t)",
           "SELECT a FROM json_each(?)",
           "SELECT a FROM main.f(1)",
           "SELECT a FROM t WHERE k IN (SELECT k FROM u)",
           "SELECT (SELECT 1 FROM u) FROM t",
           "SELECT (SELECT 1) FROM t",
           "WITH t(k) AS (SELECT 5) SELECT * FROM t",
           "SELECT a FROM t UNION SELECT ?",
           "SELECT a FROM t WHERE k < CAST(? AS INTEGER)",
           "SELECT a FROM t WHERE k = 'a' COLLATE NOCASE",
           "SELECT a FROM t WHERE k IN (VALUES (?))",
           "SELECT a FROM t EXCEPT SELECT 1",
           "SELECT a FROM t INTERSECT SELECT 1",
           "UPDATE t SET a = u.a FROM u, v",
           "SELECT a FROM t INDEXED BY i",
           "SELECT a FROM 't'",
           "SELECT a FROM t[a]]",
           "SELECT a FROM ?1",
           "SELECT a FROM main.",
           "SELECT a FROM t x y",
           "SELECT a FROM t window, u",
           "SELECT a FROM t WHERE b = cast",
           // comparisons of columns
           "SELECT a FROM t WHERE N = 5 AND RowKey = N",
           "SELECT N AS five FROM t WHERE N = 5 AND five==RowKey",
           "SELECT a FROM t WHERE N = 5 AND RowKey >= \"N\"",
           "SELECT a FROM t WHERE N = 5 AND RowKey = (((N)))",
           "SELECT a FROM t WHERE N = 5 AND (RowKey) = +N",
           "SELECT a FROM t WHERE N = 5 AND RowKey = t.N",
           "SELECT a FROM t WHERE N = 5 AND (RowKey, PartitionKey) = (5, N)",
           "SELECT a FROM t WHERE N = 5 AND RowKey = likely(N)",
           "SELECT a FROM t WHERE N = 5 AND RowKey IS N",
           "SELECT a FROM t WHERE N = 5 AND RowKey IS NOT DISTINCT FROM N",
           "SELECT a FROM t WHERE N = 5 AND RowKey IN (N, 6)",
           "SELECT a FROM t WHERE N = 5 AND RowKey IN (6, (N))",
           "SELECT a FROM t WHERE RowKey IN u",
           "SELECT a FROM t WHERE N = 5 AND RowKey BETWEEN N AND 9",
           "SELECT a FROM t WHERE N = 5 AND RowKey BETWEEN (1 AND 2) AND N",
           "SELECT a FROM t WHERE N = 5 AND RowKey BETWEEN 1 BETWEEN 2 AND 3 AND N",
           "SELECT a FROM t WHERE N = 5 AND RowKey NOT IN (N)",
           // values in an unusual form
           "SELECT a FROM t WHERE RowKey = (5)",
           "SELECT a FROM t WHERE RowKey IN (?1, (?2))",
           "SELECT a FROM t WHERE RowKey BETWEEN ? AND (?)",
           "SELECT a FROM t WHERE RowKey BETWEEN 1 + 2 AND 4",
           "SELECT a FROM t WHERE RowKey IN (1, lower('a')",
       }) {
    EXPECT_EQ(Shown(sql), "") << sql;
  }
}

}  // namespace
}  // namespace aztables
