// Instants as texts: see datetime.h.
#include "model/datetime.h"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "base/encoding.h"

namespace aztables {
namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::weekday;

constexpr int64_t kTicksPerMinute = 60 * kTicksPerSecond;
constexpr int64_t kTicksPerHour = 60 * kTicksPerMinute;
constexpr int64_t kTicksPerDay = 24 * kTicksPerHour;
constexpr sys_days kFirstDay{std::chrono::year(1) / 1 / 1};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Reads a text from left to right. Every method returns whether it found the expected characters.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool AtEnd() const { return pos_ == text_.size(); }
  bool Take(char c) {
    if (AtEnd() || text_[pos_] != c) return false;
    ++pos_;
    return true;
  }
  // Returns whether there were blanks.
  bool SkipBlanks() {
    const size_t begin = pos_;
    while (!AtEnd() && IsBlank(text_[pos_])) ++pos_;
    return pos_ > begin;
  }
  // The number of digits at the current position.
  size_t DigitsAhead() const {
    size_t end = pos_;
    while (end < text_.size() && IsDigit(text_[end])) ++end;
    return end - pos_;
  }
  bool Digits(size_t count, int& value) {
    if (DigitsAhead() < count) return false;
    value = 0;
    for (size_t i = 0; i < count; ++i) value = value * 10 + (text_[pos_++] - '0');
    return true;
  }
  // A fraction with its '.' or ',', of a part that has factor * 10^power ticks. True if there is no
  // fraction; false for a point without digits.
  bool Fraction(int64_t factor, int power, int64_t& ticks) {
    ticks = 0;
    if (!Take('.') && !Take(',')) return true;
    constexpr size_t kMostDigits = 17;  // factor * 10^17 fits into 64 bits and is finer than a tick
    const size_t count = DigitsAhead();
    if (count == 0) return false;
    int64_t number = 0;
    for (size_t i = 0; i < count; ++i, ++pos_) {
      if (i >= kMostDigits) continue;
      number = number * 10 + (text_[pos_] - '0');
      --power;
    }
    ticks = number * factor;
    for (; power > 0; --power) ticks *= 10;
    for (; power < 0; ++power) ticks /= 10;
    return true;
  }

 private:
  std::string_view text_;
  size_t pos_ = 0;
};

std::optional<sys_days> CalendarDate(int year, int month, int day) {
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return sys_days(date);
}

std::optional<sys_days> OrdinalDate(int year, int day) {
  if (day < 1) return std::nullopt;
  const sys_days date = *CalendarDate(year, 1, 1) + days(day - 1);
  if (date > *CalendarDate(year, 12, 31)) return std::nullopt;
  return date;
}

// The Monday of week 1.
sys_days FirstWeek(int year) {
  const sys_days fourth = *CalendarDate(year, 1, 4);
  return fourth - days(weekday(fourth).iso_encoding() - 1);
}

std::optional<sys_days> WeekDate(int year, int week, int day) {
  if (week < 1 || day < 1 || day > 7) return std::nullopt;
  const sys_days monday = FirstWeek(year) + days(7 * (week - 1));
  if (monday >= FirstWeek(year + 1)) return std::nullopt;
  return monday + days(day - 1);
}

std::optional<sys_days> ParseDate(Scanner& scan) {
  const size_t digits = scan.DigitsAhead();
  int year = 0;
  int month = 0;
  int day = 0;
  if (!scan.Digits(4, year) || year < 1) return std::nullopt;
  if (digits == 8) {
    scan.Digits(2, month);
    scan.Digits(2, day);
    return CalendarDate(year, month, day);
  }
  if (digits == 7) {
    scan.Digits(3, day);
    return scan.AtEnd() ? std::nullopt : OrdinalDate(year, day);
  }
  if (digits != 4) return std::nullopt;
  const bool extended = scan.Take('-');
  if (scan.Take('W') || scan.Take('w')) {
    int week = 0;
    if (!scan.Digits(2, week)) return std::nullopt;
    if (scan.Take('-') != extended || !scan.Digits(1, day)) return std::nullopt;
    return WeekDate(year, week, day);
  }
  if (!extended) return std::nullopt;
  if (scan.DigitsAhead() == 3) {
    scan.Digits(3, day);
    return OrdinalDate(year, day);
  }
  if (scan.DigitsAhead() != 2 || !scan.Digits(2, month) || !scan.Take('-')) return std::nullopt;
  if (scan.DigitsAhead() != 2 || !scan.Digits(2, day)) return std::nullopt;
  return CalendarDate(year, month, day);
}

// The time of day in ticks.
bool ParseTime(Scanner& scan, int64_t& ticks) {
  const size_t digits = scan.DigitsAhead();
  if (digits != 2 && digits != 4 && digits != 6) return false;
  const bool basic = digits > 2;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int64_t fraction = 0;
  scan.Digits(2, hour);
  if (basic ? digits < 4 : !scan.Take(':')) {
    if (!scan.Fraction(36, 9, fraction)) return false;
  } else {
    if ((!basic && scan.DigitsAhead() != 2) || !scan.Digits(2, minute)) return false;
    if (basic ? digits < 6 : !scan.Take(':')) {
      if (!scan.Fraction(6, 8, fraction)) return false;
    } else {
      if ((!basic && scan.DigitsAhead() != 2) || !scan.Digits(2, second)) return false;
      if (!scan.Fraction(1, 7, fraction)) return false;
    }
  }
  if (hour > 24 || minute > 59 || second > 59) return false;
  ticks = hour * kTicksPerHour + minute * kTicksPerMinute + second * kTicksPerSecond + fraction;
  return ticks <= kTicksPerDay;
}

// Z, nothing, or an offset from UTC.
bool ParseZone(Scanner& scan, int64_t& ticks) {
  ticks = 0;
  scan.SkipBlanks();
  if (scan.AtEnd() || scan.Take('Z') || scan.Take('z')) return true;
  const bool east = scan.Take('+');
  if (!east && !scan.Take('-')) return false;
  const size_t digits = scan.DigitsAhead();
  int hour = 0;
  int minute = 0;
  if ((digits != 2 && digits != 4) || !scan.Digits(2, hour)) return false;
  if (digits == 4) {
    scan.Digits(2, minute);
  } else if (scan.Take(':') && (scan.DigitsAhead() != 2 || !scan.Digits(2, minute))) {
    return false;
  }
  if (hour > 23 || minute > 59) return false;
  ticks = (east ? 1 : -1) * (hour * kTicksPerHour + minute * kTicksPerMinute);
  return true;
}

// REQUIRES: IsCanonicalDateTime(text)
Ticks TicksOfCanonical(std::string_view text) {
  const auto number = [text](size_t at, size_t digits) {
    int64_t value = 0;
    for (; digits > 0; --digits) value = value * 10 + (text[at++] - '0');
    return value;
  };
  const auto date = CalendarDate(static_cast<int>(number(0, 4)), static_cast<int>(number(5, 2)),
                                 static_cast<int>(number(8, 2)));
  const int64_t seconds = number(11, 2) * 3600 + number(14, 2) * 60 + number(17, 2);
  return (*date - kFirstDay).count() * kTicksPerDay + seconds * kTicksPerSecond + number(20, 7);
}

}  // namespace

std::optional<Ticks> ParseIso8601(std::string_view text) {
  text = TrimBlanks(text);
  Scanner scan(text);
  int64_t time = 0;
  int64_t zone = 0;
  std::optional<sys_days> date;
  if (text.size() > 2 && text[2] == ':') {
    date = CalendarDate(2000, 1, 1);
    if (!ParseTime(scan, time) || !ParseZone(scan, zone)) return std::nullopt;
  } else {
    date = ParseDate(scan);
    if (!date) return std::nullopt;
    if (!scan.AtEnd() && !scan.Take('Z')) {
      bool separated = scan.SkipBlanks();
      separated = scan.Take('T') || scan.Take('t') || separated;
      scan.SkipBlanks();
      if (!separated) return std::nullopt;
      if (!ParseTime(scan, time) || !ParseZone(scan, zone)) return std::nullopt;
    }
  }
  if (!scan.AtEnd()) return std::nullopt;
  const Ticks ticks = (*date - kFirstDay).count() * kTicksPerDay + time - zone;
  if (ticks < 0 || ticks > kMaxServiceTicks) return std::nullopt;
  return ticks;
}

// Checks what ParseIso8601() does not require: this form has one separator, ':' in the time, and a
// fraction of whole ticks.
std::optional<Ticks> ParseDateTime(std::string_view text) {
  constexpr size_t kDate = 10;           // YYYY-MM-DD
  constexpr size_t kShort = 16;          // YYYY-MM-DDThh:mm
  constexpr size_t kPoint = 19;          // of a fraction
  constexpr std::ptrdiff_t kDigits = 7;  // of a fraction in ticks
  if (IsCanonicalDateTime(text)) return TicksOfCanonical(text);
  if (text.size() < kDate || text[4] != '-' || text[7] != '-') return std::nullopt;
  if (text.size() == kDate || text.substr(kDate) == "Z") return ParseIso8601(text);
  const bool separated = text[kDate] == 'T' || text[kDate] == 't' || text[kDate] == ' ';
  const std::string_view time = text.substr(kDate + 1);
  if (!separated || text.size() < kShort || time[2] != ':' || time.starts_with("24") ||
      std::any_of(time.begin(), time.end(), [](char c) { return IsBlank(c) || c == ','; })) {
    return std::nullopt;
  }
  const size_t point = text.find('.');
  if (point == std::string_view::npos) return ParseIso8601(text);
  const std::string_view rest = text.substr(point + 1);
  const auto end = std::find_if_not(rest.begin(), rest.end(), IsDigit);
  const auto finer = rest.begin() + std::min(kDigits, end - rest.begin());
  const bool exact = std::all_of(finer, end, [](char c) { return c == '0'; });
  return point == kPoint && exact ? ParseIso8601(text) : std::nullopt;
}

void FormatDateTime(Ticks ticks, char* out) {
  const std::chrono::year_month_day date(kFirstDay + days(ticks / kTicksPerDay));
  const int64_t seconds = ticks % kTicksPerDay / kTicksPerSecond;
  const auto put = [&out](int64_t value, int digits, char after) {
    for (int i = digits - 1; i >= 0; --i, value /= 10) out[i] = static_cast<char>('0' + value % 10);
    out[digits] = after;
    out += digits + 1;
  };
  put(static_cast<int>(date.year()), 4, '-');
  put(static_cast<unsigned>(date.month()), 2, '-');
  put(static_cast<unsigned>(date.day()), 2, 'T');
  put(seconds / 3600, 2, ':');
  put(seconds / 60 % 60, 2, ':');
  put(seconds % 60, 2, '.');
  put(ticks % kTicksPerSecond, 7, 'Z');
}

bool IsCanonicalDateTime(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00.0000000Z";
  if (text.size() != kDateTimeSize) return false;
  for (size_t i = 0; i < kDateTimeSize; ++i) {
    if (kForm[i] == '0' ? !IsDigit(text[i]) : text[i] != kForm[i]) return false;
  }
  const auto two = [text](size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
  if (two(11) > 23 || two(14) > 59 || two(17) > 59) return false;
  const int year = two(0) * 100 + two(2);
  const int month = two(5);
  const int day = two(8);
  if (year == 0 || month == 0 || day == 0) return false;
  constexpr int kSafeDay = 28;  // each month has it
  return month <= 12 && (day <= kSafeDay || CalendarDate(year, month, day).has_value());
}

bool BeginsCanonicalDateTime(std::string_view text) {
  // The ends to add. The first one leaves a day such as '3' as '31', which not every month has.
  constexpr std::string_view kEnds[] = {"0001-01-01T00:00:00.0000000Z",
                                        "0001-01-00T00:00:00.0000000Z"};
  return std::any_of(std::begin(kEnds), std::end(kEnds), [text](std::string_view end) {
    return text.size() <= kDateTimeSize &&
           IsCanonicalDateTime(std::string(text).append(end.substr(text.size())));
  });
}

bool CanonicalDateTime(std::string_view text, char* out) {
  constexpr std::string_view kRest = ".0000000Z";
  constexpr size_t kPoint = kDateTimeSize - kRest.size();
  if (text.size() <= kPoint || text.size() > kDateTimeSize || text.back() != 'Z') return false;
  text.remove_suffix(1);
  if (text.back() == '.') return false;
  std::copy(text.begin(), text.end(), out);
  std::copy(kRest.begin() + static_cast<std::ptrdiff_t>(text.size() - kPoint), kRest.end(),
            out + text.size());
  return IsCanonicalDateTime({out, kDateTimeSize});
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
