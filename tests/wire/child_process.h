// ChildProcess: a separate program, for tests that would end their own process.
//
// Thread rule: the thread of the test.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace aztables {

class ChildProcess {
 public:
  // Starts `arguments[0]`, looked up in PATH. Adds `variables` ("NAME=value") to the environment.
  // Output() returns what it prints to stdout and stderr.
  explicit ChildProcess(std::vector<std::string> arguments,
                        std::vector<std::string> variables = {});
  // Kills it if it still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Waits for an output line that contains `text` and returns it. Returns an empty text if the
  // output ends or time runs out first.
  std::optional<std::string> WaitForLine(const std::string& text, std::chrono::milliseconds most);
  // Waits until it ends: "exit 0", "signal 11", or "still running".
  std::string WaitForEnd(std::chrono::milliseconds most);
  const std::string& output() const { return output_; }

 private:
  // Appends the next bytes to the output. Returns false at its end or after the timeout.
  bool ReadMore(std::chrono::steady_clock::time_point until);

  pid_t process_ = -1;
  int pipe_ = -1;
  std::string output_;
};

// A variable for children that exit while requests run: memory in use then is not a leak.
inline constexpr char kLeaksAllowed[] = "ASAN_OPTIONS=detect_leaks=0";

std::string SelfPath();

}  // namespace aztables
