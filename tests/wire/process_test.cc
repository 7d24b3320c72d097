// Effects of the transport on its process: fork(), signals, descriptors, threads.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <thread>

#include "wire/wire_fixture.h"

namespace aztables {
namespace {

using End = Reply::End;

size_t Threads() {
  const auto entries = std::filesystem::directory_iterator("/proc/self/task");
  return static_cast<size_t>(std::distance(begin(entries), end(entries)));
}

// Closed connections need a moment to disappear.
template <typename Count, typename Number>
bool Becomes(const Count& count, Number wanted) {
  const Stopwatch stopwatch;
  while (count() != wanted) {
    if (stopwatch.elapsed() > milliseconds(15'000)) return false;
    std::this_thread::sleep_for(milliseconds(5));
  }
  return true;
}

size_t OpenDescriptors() {
  const auto entries = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(entries), end(entries)));
}

TEST(Process, KeepsItsSignalsAndGetsNoThread) {
  LoopbackServer server([](const WireRequest&) { return Reply::Text(""); });
  sigset_t mask_before;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask_before);
  struct sigaction pipe_before = {};
  sigaction(SIGPIPE, nullptr, &pipe_before);
  const size_t threads = Threads();
  Client client;
  ASSERT_TRUE(client.Send(Read(server.origin())).ok());
  EXPECT_TRUE(Becomes(Threads, threads + 1)) << "the server's, for the connection";
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  for (int signal = 1; signal < 32; ++signal) {
    EXPECT_EQ(sigismember(&mask, signal), sigismember(&mask_before, signal)) << signal;
  }
  struct sigaction pipe_after = {};
  sigaction(SIGPIPE, nullptr, &pipe_after);
  EXPECT_EQ(pipe_after.sa_handler, pipe_before.sa_handler);
}

TEST(Process, NothingIsLeftOpen) {
  LoopbackServer server([](const WireRequest& request) {
    if (request.number % 10 == 0) return Reply::Nothing(End::kClose);
    if (request.number % 10 == 5) return Reply::Nothing(End::kReset);
    return Reply::Text(Bytes(1000));
  });
  { Client().Send(Read(server.origin())).ok(); }  // initializes global state
  ASSERT_TRUE(server.WaitForOpenConnections(0, milliseconds(10'000)));
  const size_t descriptors = OpenDescriptors();
  {
    Client client;
    for (int round = 0; round < 125; ++round) {
      std::deque<std::unique_ptr<Exchange>> exchanges;
      for (int i = 0; i < 8; ++i) {
        exchanges.push_back(client.Start(Write(server.origin(), "POST", Bytes(100))));
      }
      for (size_t i = 0; i < 7; ++i) {  // the eighth request is canceled
        ASSERT_TRUE(client.Wait(*exchanges[i]).ok());
      }
    }
    // Client and server keep no more connections than were used at once.
    EXPECT_LE(OpenDescriptors(), descriptors + 2 * 16 + 8);
  }
  EXPECT_GE(server.request_count(), 875U);
  ASSERT_TRUE(server.WaitForOpenConnections(0, milliseconds(10'000)));
  EXPECT_TRUE(Becomes(OpenDescriptors, descriptors)) << OpenDescriptors();
}

TEST(Process, ManyTransportsLeaveNothing) {
  LoopbackServer server([](const WireRequest&) { return Reply::Text(""); });
  { Client().Send(Read(server.origin())).ok(); }
  ASSERT_TRUE(server.WaitForOpenConnections(0, milliseconds(10'000)));
  const size_t descriptors = OpenDescriptors();
  for (int i = 0; i < 50; ++i) {
    Client client;
    ASSERT_TRUE(client.Send(Read(server.origin())).ok());
  }
  ASSERT_TRUE(server.WaitForOpenConnections(0, milliseconds(10'000)));
  EXPECT_TRUE(Becomes(OpenDescriptors, descriptors)) << OpenDescriptors();
}

TEST(Process, OtherProgramsInheritNoConnection) {
  LoopbackServer server([](const WireRequest&) { return Reply::Text(""); });
  Client client;
  ASSERT_TRUE(client.Send(Read(server.origin())).ok());
  int connections = 0;
  for (int descriptor = 0; descriptor < 1024; ++descriptor) {
    sockaddr_storage address = {};
    socklen_t size = sizeof address;
    if (getpeername(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) continue;
    if (address.ss_family != AF_INET) continue;
    ++connections;
    EXPECT_NE(fcntl(descriptor, F_GETFD) & FD_CLOEXEC, 0) << descriptor;
  }
  EXPECT_EQ(connections, 2);  // the client's end and the server's end
}

// Runs `body` in a child after fork() and returns its output.
std::string InChild(const std::function<std::string()>& body) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    const std::string said = body();
    const auto written = write(ends[1], said.data(), said.size());
    _exit(written == static_cast<ssize_t>(said.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string said;
  char bytes[4096];
  for (ssize_t count = 0; (count = read(ends[0], bytes, sizeof bytes)) > 0;) {
    said.append(bytes, static_cast<size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return said + (WIFEXITED(status) ? "; exit " + std::to_string(WEXITSTATUS(status))
                                   : "; signal " + std::to_string(WTERMSIG(status)));
}

constexpr char kAfterFork[] =
    "kError: this database connection was used before fork(): open it again in the child";

TEST(Fork, ChildGetsAnErrorAndTheParentContinues) {
  LoopbackServer server([](const WireRequest& request) {
    Reply reply = Reply::Text(request.target);
    if (request.target == "/slow") reply.delay = milliseconds(500);
    return reply;
  });
  auto client = std::make_unique<Client>();
  ASSERT_TRUE(client->Send(Read(server.origin())).ok());
  auto slow = client->Start(Read(server.origin(), "/slow"));
  ASSERT_TRUE(server.WaitForRequests(2, milliseconds(10'000))) << "on the kept connection";

  const std::string of_a_new_request =
      InChild([&] { return Describe(client->Send(Read(server.origin()))); });
  EXPECT_EQ(of_a_new_request, std::string(kAfterFork) + "; exit 0");
  const std::string of_an_inherited_one = InChild([&]() -> std::string {
    if (!client->Wait(*slow).ok()) return "interrupted";
    return Describe(slow->Take());
  });
  EXPECT_EQ(of_an_inherited_one, std::string(kAfterFork) + "; exit 0");
  const std::string of_destroying = InChild([&]() -> std::string {
    slow.reset();
    client.reset();
    return "destroyed";
  });
  EXPECT_EQ(of_destroying, "destroyed; exit 0");
  const std::string of_destroying_in_the_other_order = InChild([&]() -> std::string {
    client->DestroyTransport();
    slow.reset();
    return "destroyed";
  });
  EXPECT_EQ(of_destroying_in_the_other_order, "destroyed; exit 0");

  ASSERT_TRUE(client->Wait(*slow).ok());
  const auto outcome = slow->Take();
  ASSERT_TRUE(outcome.ok()) << Describe(outcome);
  EXPECT_EQ(outcome->body, "/slow");
  ASSERT_TRUE(client->Send(Read(server.origin())).ok());
  EXPECT_EQ(server.request_count(), 3U);
  EXPECT_LE(server.connection_count(), 2);
}

// ThreadSanitizer permits no new threads in a forked child of a multithreaded program.
#if !defined(__SANITIZE_THREAD__)
TEST(Fork, ConnectionOfItsOwnWorksInTheChild) {
  LoopbackServer server([](const WireRequest& request) { return Reply::Text(request.target); });
  Client used;
  const Client unused;
  ASSERT_TRUE(used.Send(Read(server.origin())).ok());
  EXPECT_EQ(InChild([&] {
              Client own;
              return Describe(own.Send(Read(server.origin(), "/child")));
            }),
            "status 200; exit 0");
  EXPECT_EQ(server.requests().back().target, "/child");
  ASSERT_TRUE(used.Send(Read(server.origin())).ok());
}
#endif

}  // namespace
}  // namespace aztables
