// PropertyFilter: what of a comparison of a property's column may be sent to the service. Sound
// means: the alternatives hold for every entity that SQLite would keep, whatever EDM types its
// property may have, as far as a column of the declared type shows them. Where the service's rules
// are not documented (how it compares across numeric types, how many digits of a double it shows),
// what is sent asks for more.
//
// Thread rule: pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "aztables/model/edm.h"
#include "aztables/odata/filter.h"
#include "aztables/plan/read_plan.h"

namespace aztables {

// Alternatives of which one holds for each entity that `property op value` may be true for, the
// property being shown by a column of type `declared` (kNull: ANY). Nothing where none are sound.
// `value` is a literal, unless `computed`; of kLike the beginning that all have in common, see
// CommonBeginning(); of kNotNull it says nothing. `most_encoded` is how many percent-encoded
// characters a text may take. REQUIRES: op is not kIn
std::optional<Alternatives> PropertyFilter(std::string_view property, EdmType declared,
                                           ConditionOp op, const SqlValue& value, bool computed,
                                           size_t most_encoded);

// A range of texts in SQLite's order as one of the service's: `op` is kLt, kLe, kGt or kGe. Empty:
// every text may be meant. `may_be_numeric`: see Condition::computed.
Conjunction TextRange(std::string_view property, CompareOp op, std::string_view text,
                      bool may_be_numeric, size_t most_encoded);
// What all texts begin with, in any case, that NOCASE does not sort below `low` nor at or behind
// `end`: nothing unless these are the bounds that SQLite makes of a pattern of LIKE.
std::optional<std::string> CommonBeginning(const SqlValue& low, const SqlValue& end);
// The range of texts that have that beginning, in any case. Empty: every text.
Conjunction LikeRange(std::string_view property, std::string_view beginning, size_t most_encoded);

// No text that looks like a number to SQLite sorts at or behind it.
inline constexpr std::string_view kAfterNumbers = ":";

// Percent-encoded characters that the literals take.
size_t EncodedSize(const Conjunction& conjunction);

}  // namespace aztables
