// ChildProcess: see child_process.h.
#include "wire/child_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <climits>

namespace aztables {
namespace {

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

ChildProcess::ChildProcess(std::vector<std::string> arguments, std::vector<std::string> variables) {
  for (char** variable = environ; *variable != nullptr; ++variable) {
    variables.emplace_back(*variable);
  }
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  pipe_ = ends[0];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  EXPECT_EQ(posix_spawnp(&process_, arguments[0].c_str(), &actions, nullptr,
                         Pointers(arguments).data(), Pointers(variables).data()),
            0)
      << arguments[0];
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
}

ChildProcess::~ChildProcess() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  close(pipe_);
}

bool ChildProcess::ReadMore(std::chrono::steady_clock::time_point until) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      until - std::chrono::steady_clock::now());
  pollfd watched = {pipe_, POLLIN, 0};
  if (poll(&watched, 1, static_cast<int>(std::max<int64_t>(0, left.count()))) != 1) return false;
  char bytes[4096];
  const ssize_t count = read(pipe_, bytes, sizeof bytes);
  if (count <= 0) return false;
  output_.append(bytes, static_cast<size_t>(count));
  return true;
}

std::optional<std::string> ChildProcess::WaitForLine(const std::string& text,
                                                     std::chrono::milliseconds most) {
  const auto until = std::chrono::steady_clock::now() + most;
  while (true) {
    const size_t place = output_.find(text);
    const size_t end = place == std::string::npos ? place : output_.find('\n', place);
    if (end != std::string::npos) {
      const size_t before = output_.rfind('\n', place);
      const size_t begin = before == std::string::npos ? 0 : before + 1;
      return output_.substr(begin, end - begin);
    }
    if (!ReadMore(until)) return std::nullopt;
  }
}

std::string ChildProcess::WaitForEnd(std::chrono::milliseconds most) {
  const auto until = std::chrono::steady_clock::now() + most;
  while (ReadMore(until)) {
  }
  int status = 0;
  while (waitpid(process_, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() >= until) return "still running";
    usleep(2000);
  }
  process_ = -1;
  return WIFEXITED(status) ? "exit " + std::to_string(WEXITSTATUS(status))
                           : "signal " + std::to_string(WTERMSIG(status));
}

std::string SelfPath() {
  char path[PATH_MAX] = {};
  EXPECT_GT(readlink("/proc/self/exe", path, sizeof path - 1), 0);
  return path;
}

}  // namespace aztables
