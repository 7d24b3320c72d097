// SqlTokens: see sql_tokens.h.
#include "sql_tokens.h"

#include "aztables/base/encoding.h"

namespace aztables {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // SQLite reads it as a blank

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

SqlToken SqlTokens::Next() {
  SkipBlanksAndComments();
  if (left_.empty()) return {};
  const char c = left_[0];
  if (c == '"' || c == '`' || c == '[') {
    return {SqlToken::Kind::kQuoted, Quoted(c == '[' ? ']' : c)};
  }
  if (c == '\'') return {SqlToken::Kind::kOther, Quoted(c) + "''"};
  // The name of a parameter is no word.
  const bool parameter = c == '?' || c == ':' || c == '@' || c == '#' || c == '$';
  const size_t size = WordSize(parameter ? 1 : 0);
  if (parameter) return {SqlToken::Kind::kOther, Take(size)};
  if (size > 0) return {SqlToken::Kind::kWord, ToLowerAscii(Take(size))};
  return {SqlToken::Kind::kOther, Take(1)};
}

size_t SqlTokens::WordSize(size_t from) const {
  size_t size = from;
  while (size < left_.size() && IsWordCharacter(left_[size])) ++size;
  return size;
}

std::string SqlTokens::Take(size_t size) {
  std::string taken(left_.substr(0, size));
  left_.remove_prefix(taken.size());
  return taken;
}

void SqlTokens::SkipTo(std::string_view end) {
  const size_t at = left_.find(end, 2);
  left_.remove_prefix(at == std::string_view::npos ? left_.size() : at + end.size());
}

void SqlTokens::SkipBlanksAndComments() {
  for (;;) {
    const size_t text = left_.find_first_not_of(" \t\n\f\r");
    left_.remove_prefix(text == std::string_view::npos ? left_.size() : text);
    if (left_.starts_with("--")) {
      SkipTo("\n");
    } else if (left_.starts_with("/*")) {
      SkipTo("*/");
    } else if (left_.starts_with(kByteOrderMark)) {
      left_.remove_prefix(kByteOrderMark.size());
    } else {
      return;
    }
  }
}

std::string SqlTokens::Quoted(char end) {
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

}  // namespace aztables
