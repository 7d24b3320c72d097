// Checks what a statement's text tells of the tables that it reads: the one table of a plain
// SELECT, and nothing for every text in which a parameter may get an affinity.
#include "vtab/only_table.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

using Name = std::optional<std::string>;

TEST(OnlyTableTest, OfPlainStatements) {
  struct Case {
    const char* sql;
    const char* table;
  };
  const Case cases[] = {
      {"SELECT * FROM t", "t"},
      {"select a, b from Movies where x < ? order by a, b", "movies"},
      {"SELECT a FROM main.t AS x WHERE x.a < :from;", "t"},
      {"SELECT a FROM main . t x\tGROUP BY a", "t"},
      {"SELECT count(*) FROM\n\"odd \"\"name\" -- FROM u\n WHERE 1", "odd \"name"},
      {"SELECT /* FROM u, */ 1 FROM [a b]", "a b"},
      {"SELECT 1 FROM `t``u` LIMIT ?1", "t`u"},
      {"SELECT ' FROM ', 'it''s', x'46' FROM t HAVING a < 'x, y'", "t"},
      {"SELECT EXISTS (SELECT 1 FROM t WHERE k < ?), (SELECT 2)", "t"},
      {"SELECT a IS DISTINCT FROM b FROM t WHERE a IS NOT DISTINCT FROM ?", "t"},
      {"SELECT DISTINCT k FROM t WINDOW w AS (ORDER BY k, v)", "t"},
      {"WITH c AS (SELECT ? AS v) SELECT * FROM t ORDER BY 1, 2", "t"},
      {"DELETE FROM t WHERE k < ?", "t"},
      {"EXPLAIN QUERY PLAN SELECT a FROM t WHERE @values = $cast AND #join", "t"},
      {"SELECT a FROM t \"as it is\" WHERE 1", "t"},
      {"SELECT a FROM Größe", "größe"},
      {"SELECT a FROM t -- the last line", "t"},
      {"SELECT a FROM t /* not ended", "t"},
  };
  for (const Case& c : cases) EXPECT_EQ(OnlyTable(c.sql), Name(c.table)) << c.sql;
}

TEST(OnlyTableTest, NothingOfOthers) {
  for (const char* sql : {
           "",
           ";",
           "SELECT 1",
           "INSERT INTO t VALUES (?)",
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
           "SELECT a FROM t UNION SELECT ?",
           "SELECT a FROM t WHERE k < CAST(? AS INTEGER)",
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
           "SELECT a FROM t WHERE b = cast",
       }) {
    EXPECT_EQ(OnlyTable(sql), Name()) << sql;
  }
}

}  // namespace
}  // namespace aztables
