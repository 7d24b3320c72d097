// Comparison and search of short texts, several bytes at a time. A page has millions of keys and
// values, for which a call of memcmp() or memchr() would cost more than its work.
//
// Thread rule: free functions.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace aztables {

template <typename Word = uint64_t>
Word WordAt(const char* text) {
  Word word;
  std::memcpy(&word, text, sizeof word);
  return word;
}

// Whether the first and the last Word of two texts are equal. REQUIRES: size >= sizeof(Word)
template <typename Word>
bool SameEnds(const char* a, const char* b, size_t size) {
  const size_t last = size - sizeof(Word);
  return WordAt<Word>(a) == WordAt<Word>(b) && WordAt<Word>(a + last) == WordAt<Word>(b + last);
}

// a == b, for texts of which most are short.
inline bool SameText(std::string_view a, std::string_view b) {
  constexpr size_t kWord = sizeof(uint64_t);
  const size_t size = a.size();
  if (size != b.size()) return false;
  if (size >= kWord) {
    for (size_t i = kWord; i + kWord < size; i += kWord) {
      if (WordAt(a.data() + i) != WordAt(b.data() + i)) return false;
    }
    return SameEnds<uint64_t>(a.data(), b.data(), size);
  }
  if (size >= sizeof(uint32_t)) return SameEnds<uint32_t>(a.data(), b.data(), size);
  if (size >= sizeof(uint16_t)) return SameEnds<uint16_t>(a.data(), b.data(), size);
  return size == 0 || a[0] == b[0];
}

// Whether the text between two quotes of JSON has an escape.
inline bool HasEscape(std::string_view text) {
  constexpr size_t kWord = sizeof(uint64_t);
  constexpr size_t kLong = 64;  // from here on memchr() is faster
  constexpr uint64_t kOnes = 0x0101010101010101;
  const size_t size = text.size();
  if (size < kWord || size >= kLong) return text.find('\\') != std::string_view::npos;
  const auto escape_at = [&](size_t at) {
    const uint64_t other = WordAt(text.data() + at) ^ (kOnes * '\\');  // zero in its byte
    return ((other - kOnes) & ~other & (kOnes << 7)) != 0;
  };
  for (size_t i = 0; i + kWord < size; i += kWord) {
    if (escape_at(i)) return true;
  }
  return escape_at(size - kWord);
}

}  // namespace aztables
