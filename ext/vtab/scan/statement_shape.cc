// StatementShape: see statement_shape.h.
#include "vtab/scan/statement_shape.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/encoding.h"
#include "vtab/sqlite/sql.h"
#include "vtab/sqlite/sql_tokens.h"
#include "vtab/table.h"

namespace aztables {
namespace {

// A function likely() passes on the affinity of its argument.
constexpr std::string_view kNotPlain[] = {"cast",       "collate", "except", "intersect",
                                          "join",       "likely",  "select", "unlikely",
                                          "likelihood", "union",   "values"};
// What may follow the table of a statement, or its alias. An alias is none of these words.
constexpr std::string_view kClauses[] = {"where", "group", "having",   "order",
                                         "limit", "set",   "returning"};

class Shape {
 public:
  explicit Shape(std::string_view sql) {
    SqlTokens tokens(sql);
    do {
      tokens_.push_back(tokens.Next());
    } while (!tokens_.back().IsEnd());
  }

  std::optional<NamedTable> Table() const {
    const bool update = At(0).IsWord("update");
    if (!update && !At(0).IsWord("select") && !At(0).IsWord("delete")) return std::nullopt;
    std::optional<NamedTable> table;
    if (update && !(table = TableAt(At(1).IsWord("or") ? 3 : 1))) return std::nullopt;
    bool compares = !update;  // SET assigns
    for (size_t i = 1; i < tokens_.size(); ++i) {
      compares = compares || At(i).IsWord("where");
      if (At(i).IsOneOf(kNotPlain) || (compares && MayCompareColumns(i))) return std::nullopt;
      if (!At(i).IsWord("from") || At(i - 1).IsWord("distinct")) continue;
      if (table) return std::nullopt;
      table = TableAt(i + 1);
      if (!table) return std::nullopt;
    }
    return table;
  }

 private:
  // The last token is the end; every place after it is the end too.
  const SqlToken& At(size_t i) const {
    return tokens_[i < tokens_.size() ? i : tokens_.size() - 1];
  }

  // Reads [schema .] table [[AS] alias].
  std::optional<NamedTable> TableAt(size_t i) const {
    NamedTable table;
    if (At(i + 1).Is('.')) {
      if (!At(i).IsName()) return std::nullopt;
      table.schema = At(i).text;
      i += 2;
    }
    if (!At(i).IsName()) return std::nullopt;
    table.name = At(i++).text;
    if (At(i).IsWord("as")) ++i;
    if (At(i).IsName() && !At(i).IsOneOf(kClauses)) ++i;
    const bool ends = At(i).IsEnd() || At(i).Is(';') || At(i).IsOneOf(kClauses);
    return ends ? std::optional(table) : std::nullopt;
  }

  static bool IsOperator(const SqlToken& token) {
    return token.Is('=') || token.Is('<') || token.Is('>') || token.Is('!');
  }

  // A word that begins with a digit is a number.
  static bool IsNumber(const SqlToken& token) {
    return token.kind == SqlToken::Kind::kWord && token.text[0] >= '0' && token.text[0] <= '9';
  }

  // A string, a BLOB, a parameter, a number or NULL.
  static bool IsValue(const SqlToken& token) {
    const bool other = token.kind == SqlToken::Kind::kOther;
    return (other && (token.text.size() > 1 || token.Is('?'))) || IsNumber(token) ||
           token.IsWord("null");
  }

  // The place after the value, or the call of a function, that begins at `i`. 0: a column, or
  // anything else, may begin there.
  size_t AfterValue(size_t i) const {
    if (At(i).Is('-')) ++i;
    if (At(i).IsName() && At(i + 1).Is('(')) {
      int depth = 0;
      do {
        ++i;
        if (At(i).Is('(')) ++depth;
        if (At(i).Is(')')) --depth;
      } while (depth > 0 && !At(i).IsEnd());
      return i + 1;
    }
    if (!IsValue(At(i))) return 0;
    do {
      ++i;
    } while (At(i).Is('.') || IsNumber(At(i)));  // 2.5
    return i;
  }

  // Whether the comparison with its operator at `i` may compare two columns.
  bool MayCompareColumns(size_t i) const {
    if (At(i).IsWord("in")) return !IsListOfValues(i + 1);
    if (At(i).IsWord("between")) {
      const size_t after = AfterValue(i + 1);
      return after == 0 || !At(after).IsWord("and") || AfterValue(after + 1) == 0;
    }
    if (!At(i).IsWord("is") && (!IsOperator(At(i)) || IsOperator(At(i - 1)))) return false;
    if (IsValue(At(i - 1))) return false;
    constexpr std::string_view kRest[] = {"not", "distinct", "from"};
    do {
      ++i;
    } while (IsOperator(At(i)) || At(i).IsOneOf(kRest));
    return AfterValue(i) == 0;
  }

  bool IsListOfValues(size_t i) const {
    if (!At(i).Is('(')) return false;
    if (At(i + 1).Is(')')) return true;
    do {
      i = AfterValue(i + 1);
    } while (i > 0 && At(i).Is(','));
    return i > 0 && At(i).Is(')');
  }

  std::vector<SqlToken> tokens_;
};

// Whether the name means one of our tables. If several databases have a table of that name, this
// counts as uncertain.
bool IsOurs(Session& session, NamedTable named) {
  sqlite3* const db = session.db();
  if (named.schema.empty()) {
    const auto databases = DatabaseNames(db);
    if (!databases.ok() || !IsTable(db, nullptr, named.name)) return false;  // a view
    for (const std::string& database : *databases) {
      if (!IsTable(db, database.c_str(), named.name)) continue;
      if (!named.schema.empty()) return false;
      named.schema = database;
    }
  }
  return std::any_of(session.tables().begin(), session.tables().end(), [&](const Table* table) {
    return EqualsIgnoreCase(table->name, named.name) &&
           EqualsIgnoreCase(table->schema_name, named.schema);
  });
}

}  // namespace

std::optional<NamedTable> PlainTable(std::string_view sql) { return Shape(sql).Table(); }

bool AreReadersPlain(Session& session) {
  return session.statements().AllReaders([&](const char* sql) {
    const auto table = PlainTable(sql);
    return table && IsOurs(session, *table);
  });
}

}  // namespace aztables
