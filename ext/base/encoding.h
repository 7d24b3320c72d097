// Text encodings that the protocol needs: base64, percent-encoding, UTF-8 and UTF-16 arithmetic.
// Pure functions; no I/O.
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aztables {

std::string Base64Encode(std::string_view bytes);
// Appends the decoded bytes to `out`; false, with `out` as it was, where `text` is not padded
// base64.
bool Base64Decode(std::string_view text, std::string& out);

// Percent-encodes every byte but the unreserved ones (letters, digits, "-._~"), in upper-case hex.
std::string PercentEncode(std::string_view text);
void AppendPercentEncoded(std::string& out, std::string_view text);
// Number of characters that PercentEncode(text) has.
size_t PercentEncodedSize(std::string_view text);
// Undoes percent-encoding; a "%" that is not followed by two hex digits stays as it is.
std::string PercentDecode(std::string_view text);

void AppendHex(std::string& out, std::string_view bytes);  // upper case

// A String of the service is any sequence of UTF-16 code units. A surrogate without its other half
// (a lone one) has no form in UTF-8. Inside, it is three bytes as of any code point below U+10000
// (WTF-8), so that no text changes; SQLite sees U+FFFD, which is as long.

// The code point that starts at text[pos], which may be a lone surrogate; advances pos to its end.
// A byte that is neither yields U+FFFD and advances by one. REQUIRES: pos < text.size()
char32_t NextCodePoint(std::string_view text, size_t& pos);
void AppendUtf8(std::string& out, char32_t code_point);  // a lone surrogate, too
bool IsValidUtf8(std::string_view text);                 // which has no lone surrogates
inline bool IsSurrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }
// Where the first lone surrogate from `begin` on stands; npos if there is none.
size_t FindLoneSurrogate(std::string_view text, size_t begin = 0);
inline bool HasLoneSurrogate(std::string_view text) {
  return FindLoneSurrogate(text) != std::string_view::npos;
}
// The text with U+FFFD in place of each lone surrogate.
std::string WithoutLoneSurrogates(std::string_view text);
// The first line without blanks around it, control characters and invalid bytes; about `most`
// bytes.
std::string PrintableLine(std::string_view text, size_t most);
// How many UTF-16 code units the UTF-8 `text` has: the unit in which the service states its limits.
size_t Utf16Length(std::string_view text);

// ASCII only, whatever the host's locale.
char ToLowerAscii(char c);
std::string ToLowerAscii(std::string_view text);
bool EqualsIgnoreCase(std::string_view a, std::string_view b);
std::string_view TrimBlanks(std::string_view text);

// A decimal integer and nothing else; nothing on overflow.
std::optional<int64_t> ParseInteger(std::string_view text);
// on, yes, true and 1, or off, no, false and 0, in any case; nothing for any other text.
std::optional<bool> ParseOnOff(std::string_view text);

}  // namespace aztables
