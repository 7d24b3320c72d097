// SqlTokens: see sql_tokens.h.
#include "vtab/sqlite/sql_tokens.h"

#include "base/encoding.h"
#include "model/schema.h"

namespace aztables {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // SQLite reads it as a blank

// A vertical tab continues blanks but does not begin them: alone it is a syntax error.
constexpr std::string_view kFirstBlank = " \t\n\f\r";
constexpr std::string_view kBlanks = " \t\n\v\f\r";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsDigit(c) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

SqlToken SqlTokens::Next() {
  SkipBlanksAndComments();
  if (left_.empty()) return {};
  if (left_.starts_with("x'") || left_.starts_with("X'")) left_.remove_prefix(1);  // a BLOB
  const char c = left_[0];
  if (c == '"' || c == '`' || c == '[' || c == '\'') {
    auto text = TakeQuoted(left_);
    if (!text) text = Take(left_.size());  // no statement has such a text
    if (c == '\'') return {SqlToken::Kind::kOther, *text + "''"};
    return {SqlToken::Kind::kQuoted, *text};
  }
  // The name of a parameter is not a word.
  if (const size_t size = ParameterSize(); size > 0) return {SqlToken::Kind::kOther, Take(size)};
  if (const size_t size = WordSize(); size > 0) {
    return {SqlToken::Kind::kWord, ToLowerAscii(Take(size))};
  }
  return {SqlToken::Kind::kOther, Take(1)};
}

size_t SqlTokens::WordSize() const {
  size_t size = 0;
  while (size < left_.size() && IsWordCharacter(left_[size])) ++size;
  return size;
}

size_t SqlTokens::ParameterSize() const {
  const char c = left_[0];
  size_t size = 1;
  if (c == '?') {
    while (size < left_.size() && IsDigit(left_[size])) ++size;
    return size;
  }
  if (c != ':' && c != '@' && c != '#' && c != '$') return 0;
  bool named = false;
  for (; size < left_.size(); ++size) {
    if (IsWordCharacter(left_[size])) {
      named = true;
    } else if (named && left_[size] == '(') {  // $name(suffix), as Tcl writes it
      const size_t end = left_.find_first_of(std::string(kBlanks) + ")", size);
      if (end == std::string_view::npos) return left_.size();
      return left_[end] == ')' ? end + 1 : end;
    } else if (left_.substr(size).starts_with("::")) {
      ++size;
    } else {
      break;
    }
  }
  return size;
}

std::string SqlTokens::Take(size_t size) {
  std::string taken(left_.substr(0, size));
  left_.remove_prefix(taken.size());
  return taken;
}

void SqlTokens::SkipThrough(size_t at, size_t size) {
  left_.remove_prefix(at == std::string_view::npos ? left_.size() : at + size);
}

void SqlTokens::SkipBlanksAndComments() {
  for (;;) {
    if (left_.empty()) return;
    if (kFirstBlank.find(left_[0]) != std::string_view::npos) {
      SkipThrough(left_.find_first_not_of(kBlanks), 0);
    } else if (left_.starts_with("--")) {
      SkipThrough(left_.find('\n'), 0);
    } else if (left_.starts_with("/*") && left_.size() > 2) {
      SkipThrough(left_.find("*/", 2), 2);
    } else if (left_.starts_with(kByteOrderMark)) {
      left_.remove_prefix(kByteOrderMark.size());
    } else {
      return;
    }
  }
}

}  // namespace aztables
