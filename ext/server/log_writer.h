// LogWriter: writes lines to a descriptor on its own thread, so that no thread waits for a slow
// reader. If its buffer is full, it drops lines and reports their number.
//
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace aztables {

class LogWriter {
 public:
  // The size of the buffer.
  static constexpr size_t kRoom = size_t{1} << 20;

  // `descriptor` stays the caller's. If no process reads it, writes to it may still run after the
  // destructor.
  explicit LogWriter(int descriptor);
  // Waits at most a second for the remaining lines.
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  // `line` ends with a line feed.
  void Add(std::string_view line);

 private:
  struct State;
  static void Run(const std::shared_ptr<State>& state);
  std::shared_ptr<State> state_;  // shared with the thread, which may be stuck in a write
};

}  // namespace aztables
