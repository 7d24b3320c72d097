// Texts of chosen code points: all short ones, and random ones. Texts repeated and replaced.
//
// Thread rule: free functions; any thread.
#pragma once

#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/encoding.h"

namespace aztables::support {

// All texts of up to `most` code points, shorter ones first.
inline std::vector<std::string> AllTexts(std::span<const char32_t> letters, size_t most) {
  std::vector<std::string> texts = {""};
  for (size_t begin = 0, length = 1; length <= most; ++length) {
    const size_t end = texts.size();
    for (; begin < end; ++begin) {
      for (const char32_t c : letters) {
        std::string text = texts[begin];
        AppendUtf8(text, c);
        texts.push_back(std::move(text));
      }
    }
  }
  return texts;
}

// A text of up to `most` code points.
inline std::string RandomText(std::mt19937& random, std::span<const char32_t> letters,
                              size_t most) {
  std::string text;
  for (size_t n = random() % (most + 1); n > 0; --n) {
    AppendUtf8(text, letters[random() % letters.size()]);
  }
  return text;
}

inline std::string Repeat(std::string_view text, size_t count) {
  std::string repeated;
  for (size_t i = 0; i < count; ++i) repeated += text;
  return repeated;
}

// The text with each `from` replaced by `to`.
inline std::string Replace(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace aztables::support
