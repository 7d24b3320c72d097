// DirectUse: see direct_use.h.
#include "vtab/trust/direct_use.h"

#include "vtab/sqlite/sql_tokens.h"

namespace aztables {
namespace {

constexpr std::string_view kChanges[] = {"insert", "replace", "update", "delete"};
constexpr std::string_view kReads[] = {"select", "values", "with"};
// The words that may precede an expression.
constexpr std::string_view kBeforeExpression[] = {
    "select", "distinct", "all",  "where", "and",    "or",   "not",      "on",     "having",
    "by",     "limit",    "then", "when",  "offset", "else", "case",     "escape", "between",
    "like",   "glob",     "is",   "match", "regexp", "set",  "returning"};
// The same for characters. "," and "(" count, because no table has the name of a function with an
// effect.
constexpr std::string_view kBeforeExpressionCharacters = "(,=<>+-*/%|&~";

bool MayPrecedeExpression(const SqlToken& token, const SqlToken& before) {
  if (token.IsWord("from")) return before.IsWord("distinct");  // IS DISTINCT FROM
  if (token.IsOneOf(kBeforeExpression)) return true;
  return token.kind == SqlToken::Kind::kOther && token.text.size() == 1 &&
         kBeforeExpressionCharacters.find(token.text[0]) != std::string_view::npos;
}

// The first token. A statement's text may begin with the ";" of the statement before it.
SqlToken First(SqlTokens& tokens) {
  SqlToken token = tokens.Next();
  while (token.Is(';')) token = tokens.Next();
  return token;
}

// Determines, token by token, whether the statement evaluates the expressions in its text.
class Evaluation {
 public:
  // `token` is the next one of the statement.
  void Read(const SqlToken& token) {
    ++read_;
    if (read_ == 1) {
      evaluates_ = token.IsOneOf(kChanges) || token.IsOneOf(kReads);
      create_ = token.IsWord("create");
    }
    if (!create_ || evaluates_) return;
    // CREATE [TEMP | TEMPORARY] TABLE ... AS SELECT evaluates what follows AS.
    if (read_ == 2 && (token.IsWord("temp") || token.IsWord("temporary"))) read_ = 1;
    if (read_ == 2) create_ = token.IsWord("table");
    if (token.Is('(')) ++depth_;
    if (token.Is(')')) --depth_;
    evaluates_ = create_ && depth_ == 0 && token.IsWord("as");
  }

  bool evaluates() const { return evaluates_; }

 private:
  int read_ = 0;
  int depth_ = 0;
  bool create_ = false;
  bool evaluates_ = false;
};

// Reads up to the word of the statement that is one of kChanges; kEnd if there is none.
SqlToken SkipToChange(SqlTokens& tokens) {
  SqlToken token = First(tokens);
  if (token.IsOneOf(kChanges)) return token;
  if (!token.IsWord("with")) return {};
  // A common table expression ends with ")".
  int depth = 0;
  for (SqlToken last; !token.IsEnd(); last = token, token = tokens.Next()) {
    if (depth == 0 && last.Is(')') && token.IsOneOf(kChanges)) return token;
    if (token.Is('(')) ++depth;
    if (token.Is(')')) --depth;
  }
  return token;
}

// Reads [schema .] name, of which `token` is the first. Nothing if it is not a name.
std::optional<NamedTable> ReadName(SqlTokens& tokens, SqlToken token) {
  if (!token.IsName()) return std::nullopt;
  NamedTable table{"", std::move(token.text)};
  SqlTokens ahead = tokens;
  if (!ahead.Next().Is('.')) return table;
  SqlToken name = ahead.Next();
  if (!name.IsName()) return std::nullopt;
  tokens = ahead;
  return NamedTable{std::move(table.name), std::move(name.text)};
}

}  // namespace

bool CallsFunction(std::string_view sql, std::string_view function) {
  SqlTokens tokens(sql);
  Evaluation evaluation;
  SqlToken before;
  SqlToken last;
  for (SqlToken token = First(tokens); !token.IsEnd();) {
    evaluation.Read(token);
    const bool named = token.IsWord(function) && MayPrecedeExpression(last, before);
    before = std::move(last);
    last = std::move(token);
    token = tokens.Next();
    if (named && token.Is('(') && evaluation.evaluates()) return true;
  }
  return false;
}

std::optional<NamedTable> ChangedTable(std::string_view sql) {
  SqlTokens tokens(sql);
  const SqlToken change = SkipToChange(tokens);
  if (change.IsEnd()) return std::nullopt;
  SqlToken token = tokens.Next();
  if (token.IsWord("or")) {  // OR REPLACE, OR IGNORE ...
    tokens.Next();
    token = tokens.Next();
  }
  if (!change.IsWord("update")) {
    if (!token.IsWord(change.IsWord("delete") ? "from" : "into")) return std::nullopt;
    token = tokens.Next();
  }
  return ReadName(tokens, std::move(token));
}

bool CreatesVirtualTable(std::string_view sql) {
  SqlTokens tokens(sql);
  return First(tokens).IsWord("create") && tokens.Next().IsWord("virtual") &&
         tokens.Next().IsWord("table");
}

bool BeginsWith(std::string_view sql, std::string_view word) {
  SqlTokens tokens(sql);
  return First(tokens).IsWord(word);
}

}  // namespace aztables
