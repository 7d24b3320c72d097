// Numbers with a radix per digit: see mixed_radix.h.
#include "model/mixed_radix.h"

#include <cstddef>

namespace aztables {

using Number = MixedRadix::Number;

Number MixedRadix::Largest() const {
  Number largest = radices_;
  for (uint32_t& digit : largest) --digit;
  return largest;
}

Number MixedRadix::Sum(const Number& a, const Number& b) const {
  Number sum = Zero();
  uint64_t carry = 0;
  for (size_t i = radices_.size(); i-- > 0;) {
    carry += uint64_t{a[i]} + b[i];
    sum[i] = static_cast<uint32_t>(carry % radices_[i]);
    carry /= radices_[i];
  }
  return carry == 0 ? sum : Largest();
}

Number MixedRadix::Product(const Number& a, uint32_t factor) const {
  Number product = Zero();
  uint64_t carry = 0;  // below `factor`
  for (size_t i = radices_.size(); i-- > 0;) {
    carry += uint64_t{a[i]} * factor;
    product[i] = static_cast<uint32_t>(carry % radices_[i]);
    carry /= radices_[i];
  }
  return carry == 0 ? product : Largest();
}

Number MixedRadix::Difference(const Number& a, const Number& b) const {
  Number difference = Zero();
  if (a <= b) return difference;
  uint64_t borrow = 0;
  for (size_t i = radices_.size(); i-- > 0;) {
    const uint64_t taken = b[i] + borrow;
    borrow = a[i] < taken ? 1 : 0;
    difference[i] = static_cast<uint32_t>(a[i] + borrow * radices_[i] - taken);
  }
  return difference;
}

Number MixedRadix::Quotient(const Number& a, uint32_t divisor) const {
  Number quotient = Zero();
  uint64_t rest = 0;
  for (size_t i = 0; i < radices_.size(); ++i) {
    rest = rest * radices_[i] + a[i];
    quotient[i] = static_cast<uint32_t>(rest / divisor);
    rest %= divisor;
  }
  return quotient;
}

Number MixedRadix::Middle(const Number& low, const Number& high) const {
  return Sum(low, Quotient(Difference(high, low), 2));
}

}  // namespace aztables
