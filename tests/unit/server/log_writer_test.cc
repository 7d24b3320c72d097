// Checks the log with a reader and without one.
#include "server/log_writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace aztables {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

class Pipe {
 public:
  Pipe() { EXPECT_EQ(pipe2(ends_, O_CLOEXEC), 0); }
  ~Pipe() {
    close(ends_[0]);
    if (ends_[1] >= 0) close(ends_[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int writing() const { return ends_[1]; }
  // The output until `text`, or what arrives within ten seconds without it.
  std::string ReadUntil(const std::string& text) const {
    std::string all;
    char bytes[4096];
    ssize_t count = 0;
    pollfd readable{.fd = ends_[0], .events = POLLIN, .revents = 0};
    while (all.find(text) == std::string::npos && poll(&readable, 1, 10'000) == 1 &&
           (count = read(ends_[0], bytes, sizeof bytes)) > 0) {
      all.append(bytes, static_cast<size_t>(count));
    }
    return all;
  }

 private:
  int ends_[2] = {-1, -1};
};

TEST(LogWriter, WritesWhatWaitsBeforeItEnds) {
  const Pipe pipe;
  std::string all;
  {
    LogWriter log(pipe.writing());
    for (int i = 0; i < 1000; ++i) {
      const std::string line = std::to_string(i) + "\n";
      log.Add(line);
      all += line;
    }
  }
  EXPECT_EQ(pipe.ReadUntil("999\n"), all);
}

TEST(LogWriter, DropsWhatNobodyReadsAndEndsAllTheSame) {
  // Never closed: the writing thread may outlive the log and ends with the process.
  static auto& pipes = *new std::vector<std::unique_ptr<Pipe>>;
  const Pipe& pipe = *pipes.emplace_back(std::make_unique<Pipe>());
  const std::string line = std::string(999, 'x') + "\n";
  const auto begin = steady_clock::now();
  {
    LogWriter log(pipe.writing());
    for (size_t i = 0; i < 3 * LogWriter::kRoom / line.size(); ++i) log.Add(line);
    EXPECT_LT(steady_clock::now() - begin, seconds(5));
  }
  EXPECT_LT(steady_clock::now() - begin, seconds(8));
  // A late reader gets whole lines and the number of missing ones.
  const std::string text = pipe.ReadUntil(" too slow: ");
  EXPECT_TRUE(text.starts_with(line));
  EXPECT_NE(text.find(line + "(lines dropped because the reader was too slow: "),
            std::string::npos);
}

}  // namespace
}  // namespace aztables
