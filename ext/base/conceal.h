// Conceal: takes the signatures of credentials out of a text that is shown. Whoever answers may
// repeat the address that it was asked for, in any encoding, in any number of layers, or in part.
//
// Thread rule: pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace aztables {

// What of a SAS proves that one has it: the value of its `sig`, as it stands there; empty: none.
std::string_view SignatureOfSas(std::string_view sas);

// Puts "..." in the place of every part of `text` that has 12 letters and digits in a row in common
// with `secrets`, which are one signature or several, percent-encoded or not. Both are compared as
// letters and digits in any case, after every escape of a URL, of JSON and of HTML was undone. A
// signature of fewer than 12 counts as a whole; one of fewer than 6 may stand in any text and
// stays.
std::string Conceal(std::string text, std::string_view secrets);

}  // namespace aztables
