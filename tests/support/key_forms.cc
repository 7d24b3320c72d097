// Keys of common forms: see key_forms.h.
#include "support/key_forms.h"

#include "base/encoding.h"

namespace aztables::support {

std::string PaddedTo(size_t digits, size_t n) {
  const std::string text = std::to_string(n);
  return std::string(digits > text.size() ? digits - text.size() : 0, '0') + text;
}

uint64_t Scramble(uint64_t n) {
  n += 0x9E3779B97F4A7C15;
  n = (n ^ (n >> 30)) * 0xBF58476D1CE4E5B9;
  n = (n ^ (n >> 27)) * 0x94D049BB133111EB;
  return n ^ (n >> 31);
}

KeyForm Padded(std::string_view prefix, size_t digits) {
  return [prefix = std::string(prefix), digits](size_t n) { return prefix + PaddedTo(digits, n); };
}

KeyForm Unpadded(std::string_view prefix, size_t count) {
  return [prefix = std::string(prefix), count](size_t n) {
    if (n == 0) return prefix + "0";
    size_t number = 1;
    for (--n; n > 0;) {
      size_t below = 0;  // numbers that begin with `number`
      for (size_t first = number, last = number + 1; first < count; first *= 10, last *= 10) {
        below += (last < count ? last : count) - first;
      }
      if (n >= below) {
        n -= below;
        ++number;
      } else {
        number *= 10;
        --n;
      }
    }
    return prefix + std::to_string(number);
  };
}

KeyForm Guids(size_t count) {
  return [=](size_t n) {
    constexpr std::string_view kHex = "0123456789abcdef";
    const uint64_t slice = UINT64_MAX / count;
    const uint64_t high = n * slice + Scramble(n) % slice;
    const uint64_t low = Scramble(n + 77);
    std::string text;
    for (int i = 0; i < 32; ++i) {
      if (i == 8 || i == 12 || i == 16 || i == 20) text += '-';
      text += kHex[(i < 16 ? high >> (60 - 4 * i) : low >> (124 - 4 * i)) & 15];
    }
    return text;
  };
}

KeyForm ReverseTicks(size_t seconds) {
  return [=](size_t n) {
    const uint64_t step = seconds * 10'000'000;
    return PaddedTo(19, 2516789012345678901 + n * step + Scramble(n) % step);
  };
}

KeyForm Words(size_t count) {
  return [=](size_t n) {
    constexpr std::string_view kSyllables[] = {"ba", "chi", "de",  "fu", "gro", "ka", "lem", "mi",
                                               "no", "pes", "qua", "ro", "sta", "tu", "vi",  "zo"};
    // The n-th of `count` positions in the tree of words of six syllables, 16^6 leaves.
    uint64_t place = static_cast<uint64_t>(n) * 16'777'216 / count;
    std::string word;
    for (int shift = 20; shift >= 0; shift -= 4) word += kSyllables[(place >> shift) & 15];
    return word;
  };
}

KeyForm Addresses(size_t count) {
  return [=](size_t n) {
    return "https:%2F%2Fwww." + Words(count)(n) + ".example%2F" + PaddedTo(4, Scramble(n) % 10'000);
  };
}

KeyForm Letters(size_t count, char32_t first, uint64_t letters, char32_t step) {
  return [=](size_t n) {
    uint64_t all = letters * letters * letters * letters;
    uint64_t place = static_cast<uint64_t>(n) * (all / count) + Scramble(n) % (all / count);
    std::string text;
    for (int i = 0; i < 4; ++i) {
      all /= letters;
      AppendUtf8(text, first + static_cast<char32_t>(place / all) * step);
      place %= all;
    }
    return text;
  };
}

}  // namespace aztables::support
