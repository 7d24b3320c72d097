// ChildProcess: another program, for what a test cannot do to itself.
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
  // Starts `arguments[0]`, looked up in PATH, with `variables` ("NAME=value") added to the
  // environment. What it prints, to either stream, is read with Output().
  explicit ChildProcess(std::vector<std::string> arguments,
                        std::vector<std::string> variables = {});
  // Kills it if it still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Waits until its output has a line that holds `text`; that line, or nothing if it ends first or
  // takes too long.
  std::optional<std::string> WaitForLine(const std::string& text, std::chrono::milliseconds most);
  // Waits until it ends: "exit 0", "signal 11", or "still running".
  std::string WaitForEnd(std::chrono::milliseconds most);
  const std::string& output() const { return output_; }

 private:
  // Appends what comes next to the output; false at its end, or when the time is over.
  bool ReadMore(std::chrono::steady_clock::time_point until);

  pid_t process_ = -1;
  int pipe_ = -1;
  std::string output_;
};

// A variable for children that exit with requests under way, and so with memory in use.
inline constexpr char kLeaksAllowed[] = "ASAN_OPTIONS=detect_leaks=0";

// The path of the program that runs.
std::string SelfPath();

}  // namespace aztables
