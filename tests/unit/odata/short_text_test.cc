// Checks SameText() and HasEscape() at each size and place against the standard library.
#include "odata/short_text.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

constexpr size_t kMost = 80;

TEST(ShortTextTest, EachByteCountsInSameText) {
  for (size_t size = 0; size <= kMost; ++size) {
    const std::string text(size, 'k');
    EXPECT_TRUE(SameText(text, std::string(size, 'k'))) << size;
    EXPECT_FALSE(SameText(text, text + 'k')) << size;
    for (size_t at = 0; at < size; ++at) {
      std::string other = text;
      other[at] = '\0';
      EXPECT_FALSE(SameText(text, other)) << size << ", " << at;
      EXPECT_FALSE(SameText(other, text)) << size << ", " << at;
    }
  }
}

TEST(ShortTextTest, EachEscapeIsFound) {
  // Neighbors of the backslash, and bytes that differ from it in one bit.
  const std::string others = std::string("[]\xDC\x5E\x58\x54\x4C\x7C\x1C\x80\x01\xFF", 12) + '\0';
  for (size_t size = 0; size <= kMost; ++size) {
    for (const char other : others) {
      const std::string text(size, other);
      EXPECT_FALSE(HasEscape(text)) << size << ", " << int{other};
      for (size_t at = 0; at < size; ++at) {
        std::string escaped = text;
        escaped[at] = '\\';
        EXPECT_TRUE(HasEscape(escaped)) << size << ", " << at << ", " << int{other};
      }
    }
  }
}

}  // namespace
}  // namespace aztables
