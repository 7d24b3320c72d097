// LogWriter: see log_writer.h.
#include "server/log_writer.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace aztables {
namespace {

constexpr std::chrono::seconds kLongestEnd{1};

// Stops at an error, since there is no other place to report it.
void WriteAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (written < 0 && errno == EAGAIN) {
      pollfd wait{.fd = descriptor, .events = POLLOUT, .revents = 0};
      poll(&wait, 1, -1);
    } else if (written == 0 || errno != EINTR) {
      return;
    }
  }
}

}  // namespace

struct LogWriter::State {
  explicit State(int to) : descriptor(to) {}
  const int descriptor;
  std::mutex mutex;
  std::condition_variable changed;
  std::string waiting;   // whole lines, in the order of Add()
  uint64_t dropped = 0;  // lines after those in `waiting`
  bool ending = false;
  bool ended = false;
};

LogWriter::LogWriter(int descriptor) : state_(std::make_shared<State>(descriptor)) {
  std::thread([state = state_] { Run(state); }).detach();
}

LogWriter::~LogWriter() {
  std::unique_lock lock(state_->mutex);
  state_->ending = true;
  state_->changed.notify_all();
  state_->changed.wait_for(lock, kLongestEnd, [this] { return state_->ended; });
}

void LogWriter::Add(std::string_view line) {
  const std::lock_guard lock(state_->mutex);
  // The number of dropped lines precedes all later lines.
  if (state_->dropped > 0 || state_->waiting.size() + line.size() > kRoom) {
    ++state_->dropped;
    return;
  }
  state_->waiting += line;
  state_->changed.notify_all();
}

void LogWriter::Run(const std::shared_ptr<State>& state) {
  std::string lines;
  std::unique_lock lock(state->mutex);
  for (;;) {
    state->changed.wait(lock, [&] { return !state->waiting.empty() || state->ending; });
    if (state->waiting.empty()) break;
    lines.clear();
    lines.swap(state->waiting);
    const uint64_t dropped = std::exchange(state->dropped, 0);
    lock.unlock();
    WriteAll(state->descriptor, lines);
    if (dropped > 0) {
      char note[100];
      std::snprintf(note, sizeof note, "(lines dropped because the reader was too slow: %llu)\n",
                    static_cast<unsigned long long>(dropped));
      WriteAll(state->descriptor, note);
    }
    lock.lock();
  }
  state->ended = true;
  state->changed.notify_all();
}

}  // namespace aztables
