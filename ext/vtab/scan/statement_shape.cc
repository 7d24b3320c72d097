// StatementShape: see statement_shape.h.
#include "vtab/scan/statement_shape.h"

#include <vector>

#include "vtab/sqlite/sql_tokens.h"

namespace aztables {
namespace {

// A function likely() passes on the affinity of its argument.
constexpr std::string_view kNotPlain[] = {"cast",  "collate", "except",   "intersect",
                                          "join",  "likely",  "unlikely", "likelihood",
                                          "union", "values"};
// What may follow the table of a FROM, or its alias.
constexpr std::string_view kClauses[] = {"where", "group", "having", "window", "order", "limit"};

class Shape {
 public:
  explicit Shape(std::string_view sql) {
    SqlTokens tokens(sql);
    do {
      tokens_.push_back(tokens.Next());
    } while (!tokens_.back().IsEnd());
  }

  std::optional<std::string> Table() const {
    if (!At(0).IsWord("select")) return std::nullopt;
    std::optional<std::string> table;
    for (size_t i = 1; i < tokens_.size(); ++i) {
      if (At(i).IsOneOf(kNotPlain) || At(i).IsWord("select")) return std::nullopt;
      if (MayCompareColumns(i)) return std::nullopt;
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

  // Reads the text after FROM: [schema .] table [[AS] alias].
  std::optional<std::string> TableAt(size_t i) const {
    if (At(i + 1).Is('.')) i += 2;
    const SqlToken& name = At(i);
    if (!name.IsName()) return std::nullopt;
    ++i;
    if (At(i).IsWord("as")) ++i;
    if (At(i).IsName() && !At(i).IsOneOf(kClauses)) ++i;
    const bool ends = At(i).IsEnd() || At(i).Is(';') || At(i).IsOneOf(kClauses);
    return ends ? std::optional(name.text) : std::nullopt;
  }

  static bool IsOperator(const SqlToken& token) {
    return token.Is('=') || token.Is('<') || token.Is('>') || token.Is('!');
  }

  // A name, or the end of an expression in parentheses; a word that begins with a digit is a
  // number.
  static bool MayBeColumn(const SqlToken& token) {
    if (token.Is(')') || token.kind == SqlToken::Kind::kQuoted) return true;
    const bool number = !token.text.empty() && token.text[0] >= '0' && token.text[0] <= '9';
    return token.kind == SqlToken::Kind::kWord && !number && token.text != "null";
  }

  // Whether the operand that begins at `i` may be a column, or a row of them.
  bool MayBeginColumn(size_t i, const SqlToken& left) const {
    if (At(i).Is('(') && left.Is(')')) return true;
    while (At(i).Is('(') || At(i).Is('+') || At(i).Is('-') || At(i).Is('~')) ++i;
    const bool function = At(i).IsName() && At(i + 1).Is('(');
    return MayBeColumn(At(i)) && !function;
  }

  // Whether the comparison with its operator at `i` may compare two columns.
  bool MayCompareColumns(size_t i) const {
    const bool words = At(i).IsWord("is") || At(i).IsWord("in") || At(i).IsWord("between");
    if (!words && (!IsOperator(At(i)) || IsOperator(At(i - 1)))) return false;
    const SqlToken& left = At(At(i - 1).IsWord("not") ? i - 2 : i - 1);
    if (!MayBeColumn(left)) return false;
    if (At(i).IsWord("in")) return MayListColumn(i + 1);
    if (At(i).IsWord("between")) return MayBeBetweenColumns(i + 1, left);
    size_t right = i + 1;
    if (words) {
      if (At(right).IsWord("not")) ++right;
      if (At(right).IsWord("distinct")) right += 2;
    } else {
      while (IsOperator(At(right))) ++right;
    }
    return MayBeginColumn(right, left);
  }

  // A list of IN, in parentheses.
  bool MayListColumn(size_t i) const {
    if (!At(i).Is('(')) return true;
    for (++i; !At(i).Is(')'); ++i) {
      if (At(i).IsEnd() || At(i).Is('(') || MayBeColumn(At(i))) return true;
    }
    return false;
  }

  bool MayBeBetweenColumns(size_t i, const SqlToken& left) const {
    if (MayBeginColumn(i, left)) return true;
    int depth = 0;
    for (; depth > 0 || !At(i).IsWord("and"); ++i) {
      if (At(i).IsEnd() || At(i).IsWord("between")) return true;
      if (At(i).Is('(')) ++depth;
      if (At(i).Is(')')) --depth;
    }
    return MayBeginColumn(i + 1, left);
  }

  std::vector<SqlToken> tokens_;
};

}  // namespace

std::optional<std::string> PlainTable(std::string_view sql) { return Shape(sql).Table(); }

}  // namespace aztables
