// Conceal: removes the signatures of credentials from a text that is shown. A server may repeat the
// requested address in any encoding, in any number of layers, or in part.
//
// Thread rule: pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace aztables {

// The secret part of a SAS: the value of its `sig`, unchanged. Empty: there is none.
std::string_view SignatureOfSas(std::string_view sas);

// Replaces a part of `text` by "..." if it shares 12 consecutive letters and digits with `secrets`.
// `secrets` is one signature or several, percent-encoded or not. Both texts are compared as letters
// and digits in any case, after every escape of URLs, JSON and HTML is undone. A signature of fewer
// than 12 letters and digits must match as a whole. One of fewer than 6 may be in any text and is
// not replaced.
std::string Conceal(std::string text, std::string_view secrets);

}  // namespace aztables
