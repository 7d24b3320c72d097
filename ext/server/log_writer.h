// LogWriter: writes lines to a descriptor on a thread of its own, so that nobody waits for whoever
// reads them. Where they are not read, it drops what is beyond its room, and says how much that
// was.
//
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace aztables {

class LogWriter {
 public:
  // Bytes that may wait to be written.
  static constexpr size_t kRoom = size_t{1} << 20;

  // `descriptor` stays the caller's; it may still be written to after the end where nobody reads.
  explicit LogWriter(int descriptor);
  // Lets what waits be written, for a second at most.
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
