// Edm.DateTime texts: see datetime.h.
#include "model/datetime.h"

#include <array>
#include <charconv>

namespace aztables {
namespace {

constexpr int64_t kSecondsPerDay = 86'400;

// Days from 0001-01-01 to the given day of the proleptic Gregorian calendar.
int64_t DaysFromCivil(int year, int month, int day) {
  const int64_t y = month <= 2 ? year - 1 : year;
  const int64_t era = y / 400;
  const int64_t year_of_era = y - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 306;
}

void CivilFromDays(int64_t days, int& year, int& month, int& day) {
  const int64_t shifted = days + 306;
  const int64_t era = shifted / 146097;
  const int64_t day_of_era = shifted - era * 146097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t shifted_month = (5 * day_of_year + 2) / 153;
  day = static_cast<int>(day_of_year - (153 * shifted_month + 2) / 5 + 1);
  month = static_cast<int>(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
  year = static_cast<int>(year_of_era + era * 400 + (month <= 2 ? 1 : 0));
}

int DaysInMonth(int year, int month) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[static_cast<size_t>(month - 1)];
}

// Reads a text from left to right. Every method returns whether it found the expected characters.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool Digits(int count, int& value) {
    value = 0;
    for (int i = 0; i < count; ++i) {
      if (!AtDigit()) return false;
      value = value * 10 + (text_[pos_++] - '0');
    }
    return true;
  }
  bool AtDigit() const { return pos_ < text_.size() && text_[pos_] >= '0' && text_[pos_] <= '9'; }
  bool AtEnd() const { return pos_ == text_.size(); }
  bool Take(char c) {
    if (AtEnd() || text_[pos_] != c) return false;
    ++pos_;
    return true;
  }
  // A fraction of a second in ticks, after the point.
  bool Fraction(int64_t& ticks) {
    if (!AtDigit()) return false;
    int64_t unit = kTicksPerSecond;
    ticks = 0;
    while (AtDigit()) {
      const int digit = text_[pos_++] - '0';
      unit /= 10;
      if (unit == 0 && digit != 0) return false;
      ticks += digit * unit;
    }
    return true;
  }

 private:
  std::string_view text_;
  size_t pos_ = 0;
};

// Z, nothing, or an offset, which is stored in `minutes`.
bool ParseZone(Reader& reader, int& minutes) {
  minutes = 0;
  if (reader.AtEnd()) return true;
  if (reader.Take('Z') || reader.Take('z')) return true;
  const bool east = reader.Take('+');
  if (!east && !reader.Take('-')) return false;
  int hour = 0;
  int minute = 0;
  if (!reader.Digits(2, hour)) return false;
  if (!reader.AtEnd()) {
    reader.Take(':');
    if (!reader.Digits(2, minute)) return false;
  }
  if (hour > 23 || minute > 59) return false;
  minutes = (east ? 1 : -1) * (hour * 60 + minute);
  return true;
}

bool ParseTime(Reader& reader, int64_t& ticks) {
  int hour = 0;
  int minute = 0;
  int second = 0;
  int64_t fraction = 0;
  if (!reader.Digits(2, hour) || !reader.Take(':') || !reader.Digits(2, minute)) return false;
  if (reader.Take(':')) {
    if (!reader.Digits(2, second)) return false;
    if (reader.Take('.') && !reader.Fraction(fraction)) return false;
  }
  if (hour > 23 || minute > 59 || second > 59) return false;
  ticks = (hour * 3600 + minute * 60 + second) * kTicksPerSecond + fraction;
  return true;
}

}  // namespace

std::optional<Ticks> ParseDateTime(std::string_view text) {
  Reader reader(text);
  int year = 0;
  int month = 0;
  int day = 0;
  if (!reader.Digits(4, year) || !reader.Take('-') || !reader.Digits(2, month) ||
      !reader.Take('-') || !reader.Digits(2, day)) {
    return std::nullopt;
  }
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > DaysInMonth(year, month)) {
    return std::nullopt;
  }
  int64_t time = 0;
  int zone_minutes = 0;
  if (!reader.AtEnd()) {
    if (reader.Take('T') || reader.Take('t') || reader.Take(' ')) {
      if (!ParseTime(reader, time)) return std::nullopt;
      if (!ParseZone(reader, zone_minutes)) return std::nullopt;
    } else if (!reader.Take('Z')) {
      return std::nullopt;
    }
  }
  if (!reader.AtEnd()) return std::nullopt;
  const int64_t seconds = DaysFromCivil(year, month, day) * kSecondsPerDay - zone_minutes * 60;
  const Ticks ticks = seconds * kTicksPerSecond + time;
  if (ticks < 0 || ticks > kMaxServiceTicks) return std::nullopt;
  return ticks;
}

void FormatDateTime(Ticks ticks, char* out) {
  const int64_t seconds = ticks / kTicksPerSecond;
  const int64_t of_day = seconds % kSecondsPerDay;
  int year = 0;
  int month = 0;
  int day = 0;
  CivilFromDays(seconds / kSecondsPerDay, year, month, day);
  const auto put = [&out](int64_t value, int digits, char after) {
    for (int i = digits - 1; i >= 0; --i, value /= 10) out[i] = static_cast<char>('0' + value % 10);
    out[digits] = after;
    out += digits + 1;
  };
  put(year, 4, '-');
  put(month, 2, '-');
  put(day, 2, 'T');
  put(of_day / 3600, 2, ':');
  put(of_day / 60 % 60, 2, ':');
  put(of_day % 60, 2, '.');
  put(ticks % kTicksPerSecond, 7, 'Z');
}

std::string FormatDateTime(Ticks ticks) {
  std::string text(kDateTimeSize, '\0');
  FormatDateTime(ticks, text.data());
  return text;
}

std::string FormatTicks(Ticks ticks) {
  const std::string digits = std::to_string(ticks);
  return std::string(kTicksTextSize - digits.size(), '0') + digits;
}

std::optional<Ticks> ParseTicks(std::string_view digits) {
  if (digits.empty() || digits.size() > kTicksTextSize ||
      digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  Ticks ticks = 0;  // 19 digits may exceed 64 bits
  if (std::from_chars(digits.data(), digits.data() + digits.size(), ticks).ec != std::errc() ||
      ticks > kMaxServiceTicks) {
    return std::nullopt;
  }
  return ticks;
}

}  // namespace aztables
