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
  // The same in units of 100 ns, as far as the clock knows them.
  virtual int64_t NowTicks() const { return NowMs() * 10'000; }

  // The machine's clock.
  static const Clock& System();
};

// RFC 1123 in GMT, the form of x-ms-date and Date: "Mon, 02 Nov 2026 10:00:00 GMT".
std::string HttpDate(int64_t unix_ms);
// The milliseconds since 1970 for a text in that form, in any case of letters. Nothing if the text
// has another form, is not a real instant, or has the wrong day of the week.
std::optional<int64_t> ParseHttpDate(std::string_view text);

}  // namespace aztables
