// The words of a $filter: see filter_lexer.h.
#include "odata/filter_lexer.h"

#include <algorithm>

namespace aztables {
namespace {

using Kind = FilterToken::Kind;

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
// The rule of IsPropertyName (model/limits.h).
bool BeginsName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool ContinuesName(char c) { return BeginsName(c) || IsDigit(c); }

// The type of the literal that begins with this word if quotes follow it.
std::optional<EdmType> PrefixType(std::string_view word) {
  if (word == "datetime") return EdmType::kDateTime;
  if (word == "guid") return EdmType::kGuid;
  if (word == "X" || word == "binary") return EdmType::kBinary;
  return std::nullopt;
}

}  // namespace

FilterToken FilterLexer::Make(Kind kind, size_t begin, EdmType type) const {
  return {kind, type, begin, filter_.substr(begin, at_ - begin)};
}

FilterToken FilterLexer::Next() {
  while (at_ < filter_.size() && IsBlank(filter_[at_])) ++at_;
  if (at_ == filter_.size()) return Make(Kind::kEnd, at_);
  const size_t begin = at_;
  const char c = filter_[at_];
  const std::string_view rest = filter_.substr(at_ + 1);
  if (BeginsName(c)) return Name();
  if (IsDigit(c) || (c == '-' && !rest.empty() && IsDigit(rest[0]))) return Number();
  if (c == '\'') return Quoted(begin, EdmType::kString);
  if (c == '-' && rest.starts_with("INF") && (rest.size() == 3 || !ContinuesName(rest[3]))) {
    at_ += 4;
    return Make(Kind::kLiteral, begin, EdmType::kDouble);
  }
  ++at_;
  return Make(c == '(' ? Kind::kOpen : c == ')' ? Kind::kClose : Kind::kOther, begin);
}

FilterToken FilterLexer::Name() {
  const size_t begin = at_;
  while (at_ < filter_.size() && ContinuesName(filter_[at_])) ++at_;
  if (at_ < filter_.size() && filter_[at_] == '\'') {
    const auto type = PrefixType(filter_.substr(begin, at_ - begin));
    if (type) return Quoted(begin, *type);
  }
  return Make(Kind::kName, begin);
}

void FilterLexer::SkipDigits() {
  while (at_ < filter_.size() && IsDigit(filter_[at_])) ++at_;
}

// -30, 30L, 4.5, 1e10. If characters follow that are not part of the number (5x, 30l, 1., 1.5.2),
// it is not valid.
FilterToken FilterLexer::Number() {
  const size_t begin = at_++;
  SkipDigits();
  const auto at = [this](size_t ahead) {
    return at_ + ahead < filter_.size() ? filter_[at_ + ahead] : '\0';
  };
  EdmType type = EdmType::kInt32;
  if (at(0) == 'L') {
    ++at_;
    type = EdmType::kInt64;
  } else {
    if (at(0) == '.' && IsDigit(at(1))) {
      ++at_;
      SkipDigits();
      type = EdmType::kDouble;
    }
    const size_t sign = at(1) == '+' || at(1) == '-' ? 1 : 0;
    if ((at(0) == 'e' || at(0) == 'E') && IsDigit(at(1 + sign))) {
      at_ += 1 + sign;
      SkipDigits();
      type = EdmType::kDouble;
    }
  }
  const size_t end = at_;
  while (at_ < filter_.size() && (ContinuesName(filter_[at_]) || filter_[at_] == '.')) ++at_;
  return Make(at_ == end ? Kind::kLiteral : Kind::kOther, begin, type);
}

FilterToken FilterLexer::Quoted(size_t begin, EdmType type) {
  for (++at_;;) {
    at_ = std::min(filter_.find('\'', at_), filter_.size());
    if (at_ == filter_.size()) return Make(Kind::kOther, begin);
    ++at_;
    if (at_ == filter_.size() || filter_[at_] != '\'') return Make(Kind::kLiteral, begin, type);
    ++at_;
  }
}

}  // namespace aztables
