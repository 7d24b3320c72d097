// The shape of one argument of CREATE VIRTUAL TABLE: its words, and the error if it is neither
// option=value nor a column. options.cc and columns.cc interpret options and columns.
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace aztables {

struct ArgumentWord {
  std::string text;
  bool quoted = false;  // the text is the content of the quotes
};

// Splits the text of an argument into words. A quoted name and "(n)" are one word each. Returns
// nothing if a quote or a parenthesis is not closed.
std::optional<std::vector<ArgumentWord>> ArgumentWords(std::string_view text);

// An error that shows the correct form if a comma or a '=' is missing. Also an error for an option
// in quotes, and for an argument that is a single quoted or dotted text. OK for any other argument.
Status CheckShape(std::string_view argument);

}  // namespace aztables
