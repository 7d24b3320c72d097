// Texts in filters: ranges of SQLite's order and patterns of LIKE as ranges of the service's, and
// what texts take up in a request.
//
// Thread rule: pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/edm.h"
#include "odata/filter.h"

namespace aztables {

// A range of texts in SQLite's order as one of the service's: `op` is kLt, kLe, kGt or kGe. Empty:
// every text may be meant. `may_be_numeric`: see Condition::computed. `most_encoded` is how many
// percent-encoded characters a text may take.
Conjunction TextRange(std::string_view property, CompareOp op, std::string_view text,
                      bool may_be_numeric, size_t most_encoded);
// What all texts begin with, in any case, that NOCASE does not sort below `low` nor at or behind
// `end`: nothing unless these are the bounds that SQLite makes of a pattern of LIKE.
std::optional<std::string> CommonBeginning(const SqlValue& low, const SqlValue& end);
// The range of texts that have that beginning, in any case. Empty: every text.
Conjunction LikeRange(std::string_view property, std::string_view beginning, size_t most_encoded);
// The same texts as two narrower ranges, its first letter being a capital in one of them; as one
// where it has no letter, or one of the two were every text.
Alternatives LikeRanges(std::string_view property, std::string_view beginning, size_t most_encoded);

// No text that looks like a finite number to SQLite sorts at or behind it.
inline constexpr std::string_view kAfterNumbers = ":";

std::string ToUpperAscii(std::string_view text);

// Percent-encoded characters that a text takes in a filter, without the quotes around it; and all
// literals of the comparisons, with them.
size_t EncodedSize(std::string_view text);
size_t EncodedSize(const Conjunction& conjunction);
// Whether other texts of the service may show as this one: it has U+FFFD, which stands for lone
// surrogates (base/encoding.h), and those no request can name.
inline bool MayBeSeveral(std::string_view text) {
  return text.find("\xEF\xBF\xBD") != std::string_view::npos;
}
// Whether a request for what is equal to it can be written: no control characters, valid UTF-8, not
// too long, and no other text is meant.
bool CanBeSent(std::string_view text, size_t most_encoded);

}  // namespace aztables
