// FilterLexer: the words of a $filter. A literal is told by its form alone; what it is worth, the
// parser asks when it takes it for an operand.
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
    kLiteral,  // of the form that `type` has
    kOther,    // nothing that a filter may have: a character, 5x, a text without its last quote
  };
  Kind kind = Kind::kEnd;
  EdmType type = EdmType::kNull;  // of kLiteral
  size_t begin = 0;               // where it stands in the filter
  std::string_view text;          // as written
};

class FilterLexer {
 public:
  explicit FilterLexer(std::string_view filter) : filter_(filter) {}

  // The next token; kEnd again and again at the end.
  FilterToken Next();

 private:
  FilterToken Make(FilterToken::Kind kind, size_t begin, EdmType type = EdmType::kNull) const;
  FilterToken Number();
  FilterToken Name();
  // The text in quotes that begins at at_.
  FilterToken Quoted(size_t begin, EdmType type);
  void SkipDigits();

  std::string_view filter_;
  size_t at_ = 0;
};

// The value of a kLiteral, or of a kName that is a literal (true, NaN); nothing where a literal has
// the form of its type but is none: 99999999999, guid'x', datetime'1600-12-31'.
// REQUIRES: kind is kLiteral, or kName and WordType(text) has a value
std::optional<Value> LiteralValue(const FilterToken& token);

// The type of a literal that is a word, kNull being that of "null"; nothing for other words.
std::optional<EdmType> WordType(std::string_view word);

}  // namespace aztables
