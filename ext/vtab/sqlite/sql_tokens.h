// SqlTokens: the tokens of a statement's text, as SQLite reads them. It skips comments and blanks,
// and distinguishes names and words from strings. Source: "The SQL Language: Tokens".
//
// Ownership: the text outlives the reader; a token has its own copy.
// Thread rule: pure; any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace aztables {

struct SqlToken {
  enum class Kind : uint8_t { kEnd, kWord, kQuoted, kOther };
  Kind kind = Kind::kEnd;
  // A word: in lower case. A quoted name: without its quotes. A string or BLOB: without its quotes,
  // followed by ''.
  std::string text;

  bool IsEnd() const { return kind == Kind::kEnd; }
  bool IsWord(std::string_view word) const { return kind == Kind::kWord && text == word; }
  bool IsName() const { return kind == Kind::kWord || kind == Kind::kQuoted; }
  bool Is(char c) const { return kind == Kind::kOther && text.size() == 1 && text[0] == c; }
  template <size_t kSize>
  bool IsOneOf(const std::string_view (&words)[kSize]) const {
    return std::any_of(std::begin(words), std::end(words),
                       [this](std::string_view word) { return IsWord(word); });
  }
};

class SqlTokens {
 public:
  explicit SqlTokens(std::string_view sql) : left_(sql) {}

  // The next token; kEnd after the last one.
  SqlToken Next();

 private:
  // 0: the next token is not a word, or not a parameter.
  size_t WordSize() const;
  size_t ParameterSize() const;
  std::string Take(size_t size);
  // Skips the text before `at` and `size` characters; npos: all.
  void SkipThrough(size_t at, size_t size);
  void SkipBlanksAndComments();

  std::string_view left_;
};

}  // namespace aztables
