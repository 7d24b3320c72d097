// Values as text: see value_text.h.
#include "service/handlers/value_text.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>

namespace aztables {
namespace {

// .NET writes a Double outside of these bounds with an exponent.
constexpr int kLeastPlainExponent = -4;
constexpr int kLeastLargeExponent = 15;

constexpr int64_t kSecondsPerDay = 24 * 60 * 60;
constexpr std::chrono::sys_days kFirstDay{std::chrono::year(1) / 1 / 1};

char* Put(std::string_view text, char* out) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

// `digits` digits, then `after`.
template <int kDigits>
char* WriteDigits(uint32_t value, char after, char* out) {
  for (int i = kDigits - 1; i >= 0; --i, value /= 10) out[i] = static_cast<char>('0' + value % 10);
  out[kDigits] = after;
  return out + kDigits + 1;
}

// .1416145Z without trailing zeros, or only Z.
char* WriteFraction(int64_t ticks, char* out) {
  if (ticks == 0) return Put("Z", out);
  *out = '.';
  out = WriteDigits<7>(static_cast<uint32_t>(ticks), 'Z', out + 1) - 1;
  while (out[-1] == '0') --out;
  return Put("Z", out);
}

// Moves the point of `scientific`, "-1.25e+02", to where the exponent puts it.
char* WritePlain(std::string_view scientific, size_t e, int exponent, char* out) {
  if (scientific.front() == '-') {
    *out++ = '-';
    scientific.remove_prefix(1);
    --e;
  }
  // The digits without the point.
  char digits[kLongestValue];
  char* end = digits;
  *end++ = scientific.front();
  if (e > 2) end = Put(scientific.substr(2, e - 2), end);
  const auto count = static_cast<int>(end - digits);
  if (exponent < 0) {
    out = Put("0.", out);
    out = std::fill_n(out, -exponent - 1, '0');
    return Put({digits, end}, out);
  }
  const int whole = std::min(count, exponent + 1);
  out = std::copy_n(digits, whole, out);
  out = std::fill_n(out, exponent + 1 - whole, '0');
  *out++ = '.';
  if (count == whole) *out++ = '0';
  return std::copy(digits + whole, end, out);
}

// Writes a number of at most 15 digits, four of them after the point; null for any other. Two such
// numbers are never the same Double, so no shorter text is the same Double either.
char* WriteShort(double value, char* out) {
  constexpr int64_t kScale = 10'000;
  constexpr double kLeastLarge = 1e11;
  if (value == 0 || !(std::abs(value) < kLeastLarge)) return nullptr;
  const int64_t scaled = std::llround(value * kScale);
  if (static_cast<double>(scaled) / kScale != value) return nullptr;
  if (value < 0) *out++ = '-';
  const int64_t positive = std::abs(scaled);
  out = WriteInteger(positive / kScale, out);
  *out = '.';
  out = WriteDigits<4>(static_cast<uint32_t>(positive % kScale), '\0', out + 1) - 1;
  while (out[-1] == '0' && out[-2] != '.') --out;
  return out;
}

}  // namespace

char* WriteInteger(int64_t value, char* out) {
  return std::to_chars(out, out + kLongestValue, value).ptr;
}

char* WriteDouble(double value, char* out) {
  if (std::isnan(value)) return Put("NaN", out);
  if (std::isinf(value)) return Put(value < 0 ? "-Infinity" : "Infinity", out);
  if (char* const end = WriteShort(value, out)) return end;
  char* const end =
      std::to_chars(out, out + kLongestValue, value, std::chars_format::scientific).ptr;
  char* const e = std::find(out, end, 'e');
  int exponent = 0;
  std::from_chars(e[1] == '+' ? e + 2 : e + 1, end, exponent);
  if (exponent >= kLeastLargeExponent || exponent < kLeastPlainExponent) {
    *e = 'E';
    return end;
  }
  const std::string scientific(out, end);
  return WritePlain(scientific, static_cast<size_t>(e - out), exponent, out);
}

std::string DoubleText(double value) {
  char text[kLongestValue];
  return {text, WriteDouble(value, text)};
}

void InstantWriter::SetSecond(int64_t seconds) {
  if (seconds == seconds_) return;
  seconds_ = seconds;
  const std::chrono::year_month_day date(kFirstDay + std::chrono::days(seconds / kSecondsPerDay));
  const auto second = static_cast<uint32_t>(seconds % kSecondsPerDay);
  char* out = WriteDigits<4>(static_cast<uint32_t>(static_cast<int>(date.year())), '-', whole_);
  out = WriteDigits<2>(static_cast<unsigned>(date.month()), '-', out);
  out = WriteDigits<2>(static_cast<unsigned>(date.day()), 'T', out);
  out = WriteDigits<2>(second / 3600, ':', out);
  out = WriteDigits<2>(second / 60 % 60, ':', out);
  WriteDigits<2>(second % 60, '\0', out);
}

char* InstantWriter::Write(Ticks ticks, char* out) {
  SetSecond(ticks / kTicksPerSecond);
  return WriteFraction(ticks % kTicksPerSecond, Put({whole_, kWhole}, out));
}

char* InstantWriter::WriteForEtag(Ticks ticks, char* out) {
  SetSecond(ticks / kTicksPerSecond);
  const std::string_view whole(whole_, kWhole);
  constexpr size_t kHours = 13;  // 2017-11-10T02
  constexpr size_t kMinutes = kHours + 3;
  out = Put("datetime'", out);
  out = Put(whole.substr(0, kHours), out);
  out = Put("%3A", out);
  out = Put(whole.substr(kHours + 1, 2), out);
  out = Put("%3A", out);
  out = Put(whole.substr(kMinutes + 1), out);
  return Put("'", WriteFraction(ticks % kTicksPerSecond, out));
}

std::string InstantText(Ticks ticks) {
  char text[kLongestValue];
  return {text, InstantWriter().Write(ticks, text)};
}

std::string EtagOf(Ticks timestamp) {
  char text[kLongestValue];
  std::string etag;
  etag.reserve(kLongestValue);
  etag.append("W/\"").append(text, InstantWriter().WriteForEtag(timestamp, text));
  etag += '"';
  return etag;
}

}  // namespace aztables
