// Secret: bytes that must not be shown (an account key, a SAS). It is wiped when destroyed, not
// copyable and not printable. A caller that needs the bytes calls Reveal() and does not keep them.
//
// Thread rule: a value; share it between threads only as const.
#pragma once

#include <string>
#include <string_view>

namespace aztables {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string bytes) : bytes_(std::move(bytes)) {}
  ~Secret() { Wipe(); }
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  Secret(Secret&& other) noexcept { *this = std::move(other); }
  Secret& operator=(Secret&& other) noexcept;

  bool empty() const { return bytes_.empty(); }
  std::string_view Reveal() const { return bytes_; }

 private:
  void Wipe();
  std::string bytes_;
};

// Whether a text in the place of a name or a path may be a connection string, a part of one or a
// SAS. No message repeats such a text, and no database file holds it.
bool MayBeSecret(std::string_view text);

// Whether a longer text, such as a statement with its comments, contains a secret part of a
// connection string or a SAS. Such a part is AccountKey=, SharedAccessSignature=, ClientSecret= or
// sig=, percent-encoded or not.
bool HoldsSecret(std::string_view text);

// Whether a message may always repeat the text: 1 to 64 letters, digits, _, -, . and :. An account
// key and a connection string are longer or have other characters.
bool IsPlainWord(std::string_view text);

// The words that a message shows instead of a text that may be a secret.
inline constexpr std::string_view kNotShown = "(a text that is not shown)";

// A word of a declaration or a command, in quotes, for a message. It has at most 64 bytes of UTF-8:
// characters of a plain word, blanks, and characters beyond ASCII. Any other text gives kNotShown.
std::string ShowWord(std::string_view word);

// A text that is wiped when it is destroyed or replaced. Each copy is wiped in the same way.
class WipedString {
 public:
  WipedString() = default;
  ~WipedString() { Wipe(); }
  WipedString(const WipedString& other) = default;
  WipedString& operator=(const WipedString& other) { return *this = other.view(); }
  WipedString& operator=(std::string_view text);

  bool empty() const { return text_.empty(); }
  std::string_view view() const { return text_; }

 private:
  void Wipe();
  std::string text_;
};

// Overwrites every byte of `text` in a way that the compiler does not remove, then empties it.
void WipeString(std::string& text);

}  // namespace aztables
