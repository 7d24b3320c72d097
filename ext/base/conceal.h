// Conceal: removes the signatures of credentials from a text that is shown. A server may repeat the
// requested address: as it was sent, percent-encoded in several layers, or as a JSON string.
//
// Thread rule: pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/secret.h"

namespace aztables {

// The secret part of a SAS: the value of its `sig`, unchanged. Empty: there is none.
std::string_view SignatureOfSas(std::string_view sas);

// Replaces a part of a text by "..." if it shares 12 consecutive letters and digits with `secrets`.
// `secrets` is one signature or several, percent-encoded or not. Both texts are compared as letters
// and digits in any case, after %2B and \u002b are undone. A signature of fewer than 12 letters and
// digits must match as a whole. One of fewer than 6 may be in any text and is not replaced.
class Concealer {
 public:
  explicit Concealer(std::string_view secrets);
  std::string Conceal(std::string text) const;

 private:
  WipedString letters_;  // of the secrets
};

inline std::string Conceal(std::string text, std::string_view secrets) {
  return Concealer(secrets).Conceal(std::move(text));
}

}  // namespace aztables
