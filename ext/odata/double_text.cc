// Doubles: see double_text.h.
#include "odata/double_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/encoding.h"

namespace aztables {
namespace {

// Why a number other than zero is not a Double: true if it is too small, false if it is too large.
bool IsTiny(std::string_view number) {
  if (number[0] == '-') number.remove_prefix(1);
  const size_t exponent_at = std::min(number.find_first_of("eE"), number.size());
  const std::string_view digits = number.substr(0, exponent_at);
  std::string_view exponent = number.substr(exponent_at);
  if (!exponent.empty()) exponent.remove_prefix(1);
  const bool down = exponent.starts_with('-');
  if (down || exponent.starts_with('+')) exponent.remove_prefix(1);
  const size_t first = digits.find_first_of("123456789");
  const size_t point = std::min(digits.find('.'), digits.size());
  // The power of ten of its first nonzero digit.
  const auto power = static_cast<int64_t>(point) - static_cast<int64_t>(first);
  const auto shift = exponent.empty() ? 0 : ParseInteger(exponent);
  if (!shift) return down;  // beyond 64 bits: no text has that many digits
  return power < (down ? *shift : -*shift);
}

}  // namespace

std::optional<double> ParseDouble(std::string_view text) {
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (end != last || text.empty()) return std::nullopt;
  if (error == std::errc()) return value;
  if (error != std::errc::result_out_of_range || !IsTiny(text)) return std::nullopt;
  return text[0] == '-' ? -0.0 : 0.0;
}

}  // namespace aztables
