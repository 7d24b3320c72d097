// Conceal: removes the signatures of credentials from a text that is shown. A server may repeat the
// requested address in any encoding, in any number of layers, or in part.
//
// Thread rule: pure; any thread.
#pragma once

#include <memory>
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

// The same for several texts.
class Concealer {
 public:
  explicit Concealer(std::string_view secrets);
  ~Concealer();
  Concealer(const Concealer&) = delete;
  Concealer& operator=(const Concealer&) = delete;

  std::string Conceal(std::string text) const;

 private:
  struct Sought;
  // False: the text has no `size` letters and digits of the secrets in a row. Quick.
  bool MayShow(std::string_view text, size_t size) const;

  std::unique_ptr<Sought> sought_;
};

}  // namespace aztables
