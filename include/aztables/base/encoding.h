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

// The code point that starts at text[pos]; advances pos behind it. A byte that is no valid UTF-8
// yields U+FFFD and advances by one. REQUIRES: pos < text.size()
char32_t NextCodePoint(std::string_view text, size_t& pos);
void AppendUtf8(std::string& out, char32_t code_point);
bool IsValidUtf8(std::string_view text);
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

}  // namespace aztables
