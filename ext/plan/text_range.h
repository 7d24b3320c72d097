// Texts in filters: converts ranges of SQLite's order and patterns of LIKE to ranges of the
// service's order. It also measures the size of texts in a request.
//
// Thread rule: pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/edm.h"
#include "odata/filter.h"

namespace aztables {

// A range of texts in SQLite's order as a range of the service's: `op` is kLt, kLe, kGt or kGe.
// Empty: the range may contain every text. `may_be_numeric`: see Condition::computed.
// `most_encoded`: the most percent-encoded characters of a text.
Conjunction TextRange(std::string_view property, CompareOp op, std::string_view text,
                      bool may_be_numeric, size_t most_encoded);
// The common prefix, in any case, of all texts that NOCASE sorts at or above `low` and below `end`.
// Nothing unless these are the bounds that SQLite makes of a pattern of LIKE.
std::optional<std::string> CommonBeginning(const SqlValue& low, const SqlValue& end);
// The range of texts with that prefix, in any case. Empty: every text.
Conjunction LikeRange(std::string_view property, std::string_view beginning, size_t most_encoded);
// The same texts as two narrower ranges: the first letter is a capital in one of them. One range if
// the prefix has no letter, or if one of the two would be every text.
Disjunction LikeRanges(std::string_view property, std::string_view beginning, size_t most_encoded);

// Every text that looks like a finite number to SQLite sorts before it.
inline constexpr std::string_view kAfterNumbers = ":";

std::string ToUpperAscii(std::string_view text);

// The percent-encoded characters of a text in a filter, without its quotes; and of all literals of
// the comparisons, with their quotes.
size_t EncodedSize(std::string_view text);
size_t EncodedSize(const Conjunction& conjunction);
// Whether other texts of the service may show as this one. If so, it has U+FFFD, which
// replaces lone surrogates (base/encoding.h). A request cannot name those.
inline bool MayBeSeveral(std::string_view text) {
  return text.find("\xEF\xBF\xBD") != std::string_view::npos;
}
// Whether a request can ask for values that equal the text. It must be valid UTF-8, without control
// characters, not too long, and without U+FFFD.
bool CanBeSent(std::string_view text, size_t most_encoded);

}  // namespace aztables
