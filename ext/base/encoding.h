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
// Appends the decoded bytes to `out`. False if `text` is not padded base64; `out` is unchanged
// then.
bool Base64Decode(std::string_view text, std::string& out);
// The bytes of base64url, with or without padding (RFC 4648, section 5). Nothing if it is none.
std::optional<std::string> Base64UrlDecode(std::string_view text);

// Percent-encodes every byte except the unreserved ones (letters, digits, "-._~"), in upper-case
// hex.
std::string PercentEncode(std::string_view text);
void AppendPercentEncoded(std::string& out, std::string_view text);
// Number of characters that PercentEncode(text) has.
size_t PercentEncodedSize(std::string_view text);
// Undoes percent-encoding; a "%" that is not followed by two hex digits stays as it is. `plus`: the
// meaning of "+"; in a query it is a blank.
std::string PercentDecode(std::string_view text, char plus = '+');

int HexValue(char c);                                      // of a digit in any case; else -1
void AppendHex(std::string& out, std::string_view bytes);  // upper case

// A String of the service is any sequence of UTF-16 code units. A lone surrogate (one without its
// other half) has no form in UTF-8. The project stores it as three bytes, like any code point below
// U+10000 (WTF-8). So no text changes. SQLite sees U+FFFD, which has the same length.

// The code point that starts at text[pos], which may be a lone surrogate. `pos` moves to its end.
// An invalid byte yields U+FFFD, and `pos` moves by one. REQUIRES: pos < text.size()
char32_t NextCodePoint(std::string_view text, size_t& pos);
void AppendUtf8(std::string& out, char32_t code_point);  // also a lone surrogate
// U+0000 to U+001F and U+007F to U+009F.
inline bool IsControl(char32_t c) { return c < 0x20 || (c >= 0x7F && c <= 0x9F); }
bool IsValidUtf8(std::string_view text);  // false for lone surrogates
inline bool IsSurrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }
// The position of the first lone surrogate at or after `begin`; npos if there is none.
size_t FindLoneSurrogate(std::string_view text, size_t begin = 0);
inline bool HasLoneSurrogate(std::string_view text) {
  return FindLoneSurrogate(text) != std::string_view::npos;
}
// The text with each lone surrogate replaced by U+FFFD.
std::string WithoutLoneSurrogates(std::string_view text);
// The first line of the trimmed text without control characters and invalid bytes; about `most`
// bytes at most.
std::string PrintableLine(std::string_view text, size_t most);
// The number of UTF-16 code units of the UTF-8 `text`. The service states its limits in this unit.
size_t Utf16Length(std::string_view text);

// The text in quotes, each quote in it doubled: a text in a filter, in a URL or in SQL.
std::string QuoteText(std::string_view text, char quote = '\'');

// ASCII only, under every locale of the host.
constexpr char ToLowerAscii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
std::string ToLowerAscii(std::string_view text);
bool EqualsIgnoreCase(std::string_view a, std::string_view b);
std::string_view TrimBlanks(std::string_view text);
bool IsAsciiLetterOrDigit(char c);
// Removes the text before the first `separator` (all of it if there is none) and the separator from
// `text`. Returns that text.
std::string_view TakeUntil(std::string_view& text, char separator);

// The value of a text that is only a decimal integer. Nothing on overflow.
std::optional<int64_t> ParseInteger(std::string_view text);
// The value of on, yes, true and 1, or off, no, false and 0, in any case. Nothing for any other
// text.
std::optional<bool> ParseOnOff(std::string_view text);

}  // namespace aztables
