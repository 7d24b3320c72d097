// Clock: the time of day, injectable, and the date form of HTTP headers. Time intervals are
// measured with std::chrono::steady_clock directly.
//
// Thread rule: const methods may be called on any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aztables {

class Clock {
 public:
  virtual ~Clock() = default;
  // Milliseconds since 1970-01-01T00:00:00Z.
  virtual int64_t NowMs() const = 0;

  // The machine's clock.
  static const Clock& System();
};

// RFC 1123 in GMT, as x-ms-date and Date want it: "Mon, 02 Nov 2026 10:00:00 GMT".
std::string HttpDate(int64_t unix_ms);
// The milliseconds since 1970 that such a text names, in any case of letters; nothing where it has
// another form, names no real instant, or the day of the week is wrong.
std::optional<int64_t> ParseHttpDate(std::string_view text);

}  // namespace aztables
