// MixedRadix: whole numbers of any length whose digits have a radix each, as keys of one form are
// numbers: "p-042" counts its last three places in tens and its first in letters. Exact; what would
// be too large becomes the largest number. What the digits stand for is key_space.h's to say.
//
// Thread rule: a value; const methods on any thread.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace aztables {

class MixedRadix {
 public:
  // Most significant digit first, one per radix; so numbers compare as vectors do.
  using Number = std::vector<uint32_t>;

  // REQUIRES: every radix is 1 or more
  explicit MixedRadix(std::vector<uint32_t> radices) : radices_(std::move(radices)) {}

  Number Zero() const { return Number(radices_.size(), 0); }
  Number Largest() const;

  // The largest number where the sum or product is larger.
  Number Sum(const Number& a, const Number& b) const;
  Number Product(const Number& a, uint32_t factor) const;
  // Zero where b is larger.
  Number Difference(const Number& a, const Number& b) const;
  // Rounded down. REQUIRES: divisor > 0
  Number Quotient(const Number& a, uint32_t divisor) const;
  // Halfway, rounded to `low`. REQUIRES: low <= high
  Number Middle(const Number& low, const Number& high) const;

 private:
  std::vector<uint32_t> radices_;
};

}  // namespace aztables
