// The shape of one argument of CREATE VIRTUAL TABLE: its words, and what is wrong if it is neither
// option=value nor a column. What options and columns mean is for options.cc and columns.cc.
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
  bool quoted = false;  // the text is what the quotes held
};

// Words, quoted names, "(n)" as one word. Nothing if a quote has no end.
std::optional<std::vector<ArgumentWord>> ArgumentWords(std::string_view argument);

// An error that says what to write for an argument in which a comma or a '=' is missing, and for a
// text in quotes that stands alone. OK for any other argument.
Status CheckShape(std::string_view argument);

}  // namespace aztables
