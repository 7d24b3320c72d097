// Texts of chosen code points: all short ones, and random ones.
//
// Thread rule: free functions; any thread.
#pragma once

#include <random>
#include <span>
#include <string>
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

}  // namespace aztables::support
