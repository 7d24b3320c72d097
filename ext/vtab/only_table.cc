// OnlyTable: see only_table.h. The tokens are those of SQLite, "The SQL Language: Tokens".
#include "only_table.h"

#include <algorithm>
#include <iterator>

#include "aztables/base/encoding.h"

namespace aztables {
namespace {

constexpr std::string_view kNotPlain[] = {"cast", "except", "intersect", "join", "union", "values"};
// What may follow the table of a FROM, or its alias.
constexpr std::string_view kClauses[] = {"where", "group", "having", "window", "order", "limit"};

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

struct Token {
  enum class Kind : uint8_t { kEnd, kWord, kQuoted, kOther };
  Kind kind = Kind::kEnd;
  std::string text;  // of a word in lower case; of a quoted name without its quotes

  bool IsWord(std::string_view word) const { return kind == Kind::kWord && text == word; }
  bool IsName() const { return kind == Kind::kWord || kind == Kind::kQuoted; }
  bool Is(char c) const { return kind == Kind::kOther && text.size() == 1 && text[0] == c; }
  template <size_t kSize>
  bool IsOneOf(const std::string_view (&words)[kSize]) const {
    return std::any_of(std::begin(words), std::end(words),
                       [this](std::string_view word) { return IsWord(word); });
  }
};

class Tokens {
 public:
  explicit Tokens(std::string_view sql) : left_(sql) {}

  Token Next() {
    SkipBlanksAndComments();
    if (left_.empty()) return {};
    const char c = left_[0];
    if (c == '"' || c == '`' || c == '[') return {Token::Kind::kQuoted, Quoted(c == '[' ? ']' : c)};
    if (c == '\'') return {Token::Kind::kOther, Quoted(c) + "''"};
    // The name of a parameter is no word.
    const bool parameter = c == '?' || c == ':' || c == '@' || c == '#' || c == '$';
    const size_t size = WordSize(parameter ? 1 : 0);
    if (parameter) return {Token::Kind::kOther, Take(size)};
    if (size > 0) return {Token::Kind::kWord, ToLowerAscii(Take(size))};
    return {Token::Kind::kOther, Take(1)};
  }

 private:
  size_t WordSize(size_t from) const {
    size_t size = from;
    while (size < left_.size() && IsWordCharacter(left_[size])) ++size;
    return size;
  }

  std::string Take(size_t size) {
    std::string taken(left_.substr(0, size));
    left_.remove_prefix(taken.size());
    return taken;
  }

  void SkipTo(std::string_view end) {
    const size_t at = left_.find(end, 2);
    left_.remove_prefix(at == std::string_view::npos ? left_.size() : at + end.size());
  }

  void SkipBlanksAndComments() {
    for (;;) {
      const size_t text = left_.find_first_not_of(" \t\n\f\r");
      left_.remove_prefix(text == std::string_view::npos ? left_.size() : text);
      if (left_.starts_with("--")) {
        SkipTo("\n");
      } else if (left_.starts_with("/*")) {
        SkipTo("*/");
      } else {
        return;
      }
    }
  }

  // What is between the quotes, of which a double one stands for one.
  std::string Quoted(char end) {
    std::string text;
    size_t at = 1;
    for (; at < left_.size(); ++at) {
      if (left_[at] == end) {
        const bool twice = end != ']' && at + 1 < left_.size() && left_[at + 1] == end;
        if (!twice) break;
        ++at;
      }
      text += left_[at];
    }
    left_.remove_prefix(std::min(at + 1, left_.size()));
    return text;
  }

  std::string_view left_;
};

// Reads what follows FROM: [schema .] table [[AS] alias]. `token` is the first one behind it.
std::optional<std::string> TableOf(Tokens& tokens, Token& token) {
  Token name = tokens.Next();
  token = tokens.Next();
  if (token.Is('.')) {
    name = tokens.Next();
    token = tokens.Next();
  }
  if (!name.IsName()) return std::nullopt;
  if (token.IsWord("as")) token = tokens.Next();
  if (token.IsName() && !token.IsOneOf(kClauses)) token = tokens.Next();
  const bool ends = token.kind == Token::Kind::kEnd || token.Is(';') || token.Is(')');
  if (!ends && !token.IsOneOf(kClauses)) return std::nullopt;
  return name.text;
}

}  // namespace

std::optional<std::string> OnlyTable(std::string_view sql) {
  Tokens tokens(sql);
  std::optional<std::string> table;
  bool distinct = false;  // the last token: IS DISTINCT FROM is a comparison
  for (Token token = tokens.Next(); token.kind != Token::Kind::kEnd;) {
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
