// OnlyTable: see only_table.h.
#include "only_table.h"

#include "sql_tokens.h"

namespace aztables {
namespace {

constexpr std::string_view kNotPlain[] = {"cast", "except", "intersect", "join", "union", "values"};
// What may follow the table of a FROM, or its alias.
constexpr std::string_view kClauses[] = {"where", "group", "having", "window", "order", "limit"};

// Reads what follows FROM: [schema .] table [[AS] alias]. `token` is the first one behind it.
std::optional<std::string> TableOf(SqlTokens& tokens, SqlToken& token) {
  SqlToken name = tokens.Next();
  token = tokens.Next();
  if (token.Is('.')) {
    name = tokens.Next();
    token = tokens.Next();
  }
  if (!name.IsName()) return std::nullopt;
  if (token.IsWord("as")) token = tokens.Next();
  if (token.IsName() && !token.IsOneOf(kClauses)) token = tokens.Next();
  const bool ends = token.IsEnd() || token.Is(';') || token.Is(')');
  if (!ends && !token.IsOneOf(kClauses)) return std::nullopt;
  return name.text;
}

}  // namespace

std::optional<std::string> OnlyTable(std::string_view sql) {
  SqlTokens tokens(sql);
  std::optional<std::string> table;
  bool distinct = false;  // the last token: IS DISTINCT FROM is a comparison
  for (SqlToken token = tokens.Next(); !token.IsEnd();) {
    if (token.IsOneOf(kNotPlain)) return std::nullopt;
    const bool from = token.IsWord("from") && !distinct;
    distinct = token.IsWord("distinct");
    if (!from) {
      token = tokens.Next();
      continue;
    }
    if (table) return std::nullopt;
    table = TableOf(tokens, token);
    if (!table) return std::nullopt;
  }
  return table;
}

}  // namespace aztables
