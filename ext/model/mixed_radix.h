// MixedRadix: integers of any length in which each digit has its own radix. The keys of one form
// are such numbers: "p-042" counts its last three places in tens and its first in letters. The
// arithmetic is exact. A result that is too large becomes the largest number. key_space.h defines
// what the digits mean.
//
// Thread rule: a value; const methods on any thread.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace aztables {

class MixedRadix {
 public:
  // Most significant digit first, one per radix. So numbers compare like vectors.
  using Number = std::vector<uint32_t>;

  // REQUIRES: every radix is 1 or more
  explicit MixedRadix(std::vector<uint32_t> radices) : radices_(std::move(radices)) {}

  Number Zero() const { return Number(radices_.size(), 0); }
  Number Largest() const;

  // The largest number if the sum or product is larger.
  Number Sum(const Number& a, const Number& b) const;
  Number Product(const Number& a, uint32_t factor) const;
  // Zero if b is larger.
  Number Difference(const Number& a, const Number& b) const;
  // Rounded down. REQUIRES: divisor > 0
  Number Quotient(const Number& a, uint32_t divisor) const;
  // Halfway, rounded to `low`. REQUIRES: low <= high
  Number Middle(const Number& low, const Number& high) const;

 private:
  std::vector<uint32_t> radices_;
};

}  // namespace aztables
