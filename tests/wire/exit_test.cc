// exit() while requests run, in each possible way. Each case is a separate process: this program
// with one of the disabled tests below.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <deque>
#include <thread>

#include "wire/child_process.h"
#include "wire/wire_fixture.h"

namespace aztables {
namespace {

constexpr int kExitCode = 7;

std::string OriginForChild() {
  const char* const origin = std::getenv("AZTABLES_WIRE_ORIGIN");
  return origin == nullptr ? "" : origin;
}

// Runs a disabled test in a separate process and returns how it ended. Adds the output if the exit
// code is wrong.
std::string RunChild(const std::string& test, const std::string& origin) {
  ChildProcess child(
      {SelfPath(), "--gtest_also_run_disabled_tests", "--gtest_filter=" + test, "--gtest_brief=1"},
      {"AZTABLES_WIRE_ORIGIN=" + origin, kLeaksAllowed});
  const std::string end = child.WaitForEnd(milliseconds(30'000));
  return end == "exit " + std::to_string(kExitCode) ? end : end + "\n" + child.output();
}

void DriveFor50Ms(Client& client, Exchange& any) {
  const Stopwatch stopwatch;
  client.DriveUntil(any, [&] { return stopwatch.elapsed() >= milliseconds(50); });
}

// A client with running requests that is never destroyed.
Exchange& BusyClient(Client& client, int count) {
  static auto& exchanges = *new std::deque<std::unique_ptr<Exchange>>;
  for (int i = 0; i < count; ++i) {
    exchanges.push_back(client.Start(Write(OriginForChild(), "POST", Bytes(100'000))));
  }
  return *exchanges.front();
}

TEST(DISABLED_ExitingChild, NothingDestroyed) {
  auto& client = *new Client;
  DriveFor50Ms(client, BusyClient(client, 8));
  std::exit(kExitCode);
}

TEST(DISABLED_ExitingChild, AtOnce) {
  BusyClient(*new Client, 8);
  std::exit(kExitCode);
}

// A host may close its connections in destructors of static objects, after everything else.
TEST(DISABLED_ExitingChild, DestroyedByStatics) {
  static std::unique_ptr<Client> client;
  static std::deque<std::unique_ptr<Exchange>> exchanges;
  client = std::make_unique<Client>();
  for (int i = 0; i < 8; ++i) exchanges.push_back(client->Start(Read(OriginForChild())));
  DriveFor50Ms(*client, *exchanges.front());
  std::exit(kExitCode);
}

// A call that begins after the gate is closed fails and does not hang. The test calls the transport
// below the pipeline, because that may use OpenSSL, which has already shut down.
struct CallAtTheVeryEnd {
  std::unique_ptr<Transport> transport;
  ~CallAtTheVeryEnd() {
    if (!transport) return;
    Request request = Read(OriginForChild());
    const auto call = transport->Start(request);
    if (!call->Done() || call->Take().ok()) std::_Exit(1);
  }
};

TEST(DISABLED_ExitingChild, CallAfterwards) {
  static CallAtTheVeryEnd at_the_end;
  at_the_end.transport = MakeCurlTransport();
  Request request = Read(OriginForChild());
  static auto& call = *new auto(at_the_end.transport->Start(request));
  static_cast<void>(call);
  std::exit(kExitCode);
}

// One thread waits for a response, and another one ends the process.
TEST(DISABLED_ExitingChild, FromAnotherThread) {
  BusyClient(*new Client, 8);
  std::thread([] {
    std::this_thread::sleep_for(milliseconds(50));
    std::exit(kExitCode);
  }).detach();
  auto& waiting = *new Client;
  static_cast<void>(waiting.Send(Read(OriginForChild())));
  std::this_thread::sleep_for(milliseconds(20'000));
}

TEST(DISABLED_ExitingChild, WhileANameIsLookedUp) {
  static Client& client = *new Client;
  BusyClient(client, 1);
  static auto& exchange = *new auto(client.Start(Read("http://account.slow")));
  DriveFor50Ms(client, *exchange);
  std::exit(kExitCode);
}

// In a child after fork(), exit() runs the handlers that the parent registered.
TEST(DISABLED_ExitingChild, AfterFork) {
  auto& client = *new Client;
  DriveFor50Ms(client, BusyClient(client, 4));
  const pid_t child = fork();
  if (child == 0) std::exit(3);
  int status = 0;
  waitpid(child, &status, 0);
  std::exit(WIFEXITED(status) && WEXITSTATUS(status) == 3 ? kExitCode : 1);
}

void ExpectCleanExits(const char* test, int times) {
  LoopbackServer server([](const WireRequest&) { return Reply::Nothing(Reply::End::kHold); });
  for (int i = 0; i < times; ++i) {
    const Stopwatch stopwatch;
    EXPECT_EQ(RunChild(std::string("DISABLED_ExitingChild.") + test, server.origin()),
              "exit " + std::to_string(kExitCode));
    EXPECT_LT(stopwatch.elapsed(), milliseconds(3500));  // less than kSlowLookup
  }
}

TEST(Exit, NothingDestroyed) { ExpectCleanExits("NothingDestroyed", 3); }
TEST(Exit, AtOnce) { ExpectCleanExits("AtOnce", 3); }
TEST(Exit, DestroyedByStatics) { ExpectCleanExits("DestroyedByStatics", 3); }
TEST(Exit, CallAfterwards) { ExpectCleanExits("CallAfterwards", 2); }
TEST(Exit, FromAnotherThread) { ExpectCleanExits("FromAnotherThread", 3); }
TEST(Exit, AfterFork) { ExpectCleanExits("AfterFork", 2); }
TEST(Exit, WhileANameIsLookedUp) { ExpectCleanExits("WhileANameIsLookedUp", 1); }

}  // namespace
}  // namespace aztables
