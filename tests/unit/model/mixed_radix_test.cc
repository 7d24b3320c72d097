// Checks the arithmetic on numbers of mixed radix against that of the machine, for every pair of
// numbers of small forms, and that what is too large becomes the largest number.
#include "model/mixed_radix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace aztables {
namespace {

using Number = MixedRadix::Number;

struct Form {
  explicit Form(std::vector<uint32_t> all) : radices(all), radix(std::move(all)) {
    for (const uint32_t r : radices) count *= r;
  }
  Number Of(uint64_t value) const {
    Number number(radices.size());
    for (size_t i = radices.size(); i-- > 0;) {
      number[i] = static_cast<uint32_t>(value % radices[i]);
      value /= radices[i];
    }
    return number;
  }
  std::vector<uint32_t> radices;
  MixedRadix radix;
  uint64_t count = 1;
};

TEST(MixedRadixTest, EveryPairOfSmallForms) {
  for (const auto& radices :
       {std::vector<uint32_t>{}, {1}, {7}, {2, 3, 4}, {1, 10, 1, 9}, {5, 1}}) {
    const Form form(radices);
    EXPECT_EQ(form.radix.Largest(), form.Of(form.count - 1));
    EXPECT_EQ(form.radix.Zero(), form.Of(0));
    for (uint64_t a = 0; a < form.count; ++a) {
      for (uint64_t b = 0; b < form.count; ++b) {
        const Number x = form.Of(a);
        const Number y = form.Of(b);
        EXPECT_EQ(x < y, a < b);
        EXPECT_EQ(form.radix.Sum(x, y), form.Of(std::min(a + b, form.count - 1)));
        EXPECT_EQ(form.radix.Difference(x, y), form.Of(a > b ? a - b : 0));
        EXPECT_EQ(form.radix.Product(x, static_cast<uint32_t>(b)),
                  form.Of(std::min(a * b, form.count - 1)));
        if (b > 0) {
          EXPECT_EQ(form.radix.Quotient(x, static_cast<uint32_t>(b)), form.Of(a / b));
        }
        if (a <= b) {
          EXPECT_EQ(form.radix.Middle(x, y), form.Of(a + (b - a) / 2));
        }
      }
    }
  }
}

TEST(MixedRadixTest, LargeRadicesAndFactors) {
  constexpr uint32_t kMost = 0xFFFFFFFF;
  const MixedRadix radix({kMost, kMost});
  const Number largest{kMost - 1, kMost - 1};
  EXPECT_EQ(radix.Largest(), largest);
  EXPECT_EQ(radix.Sum(largest, {0, 1}), largest);
  EXPECT_EQ(radix.Product({0, kMost - 1}, kMost), (Number{kMost - 1, 0}));
  EXPECT_EQ(radix.Product({1, 0}, kMost), largest);
  EXPECT_EQ(radix.Quotient({kMost - 1, 0}, kMost), (Number{0, kMost - 1}));
  EXPECT_EQ(radix.Difference({1, 0}, {0, 1}), (Number{0, kMost - 1}));
}

}  // namespace
}  // namespace aztables
