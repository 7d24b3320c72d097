// FilterLexer: the words of a $filter. The lexer recognizes a literal by its form alone. The parser
// asks for its value when it uses the literal as an operand.
//
// Ownership: tokens point into the text.
// Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/edm.h"

namespace aztables {

struct FilterToken {
  enum class Kind : uint8_t {
    kEnd,
    kOpen,     // (
    kClose,    // )
    kName,     // a property, an operator, or a literal that is a word (true)
    kLiteral,  // has the form of a literal of `type`
    kOther,    // not valid in a filter: a character, 5x, a text without its last quote
  };
  Kind kind = Kind::kEnd;
  EdmType type = EdmType::kNull;  // of kLiteral
  size_t begin = 0;               // offset in the filter
  std::string_view text;          // as written
};

class FilterLexer {
 public:
  explicit FilterLexer(std::string_view filter) : filter_(filter) {}

  // The next token; at the end kEnd, any number of times.
  FilterToken Next();

 private:
  FilterToken Make(FilterToken::Kind kind, size_t begin, EdmType type = EdmType::kNull) const;
  FilterToken Number();
  FilterToken Name();
  // The quoted text that begins at at_.
  FilterToken Quoted(size_t begin, EdmType type);
  void SkipDigits();

  std::string_view filter_;
  size_t at_ = 0;
};

// The value of a kLiteral, or of a kName that is a literal (true, NaN). Nothing if a literal has
// the form of its type but is not valid: 99999999999, guid'x', datetime'1600-12-31'. REQUIRES: kind
// is kLiteral, or kName and WordType(text) has a value
std::optional<Value> LiteralValue(const FilterToken& token);

// The type of a literal that is a word; kNull for "null"; nothing for other words.
std::optional<EdmType> WordType(std::string_view word);

}  // namespace aztables
