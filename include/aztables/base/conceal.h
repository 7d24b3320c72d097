// Conceal: takes the signature of a credential out of a text that is shown. Whoever answers may
// repeat the address that it was asked for, encoded once or more often, in one way or in several.
//
// Thread rule: pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace aztables {

// What of a SAS proves that one has it: the value of its `sig`, as it stands there; empty: none.
std::string_view SignatureOfSas(std::string_view sas);

// Puts "..." in the place of `signature`, which may be percent-encoded, wherever it stands in
// `text`: plain, or behind up to four layers of percent-encoding (in any case of letters), escapes
// of JSON and entities of XML. One of fewer than 8 characters is none, and may stand in any text.
std::string Conceal(std::string text, std::string_view signature);

}  // namespace aztables
