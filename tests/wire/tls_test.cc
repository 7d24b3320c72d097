// TLS: an untrusted server gets an error and no retry, a broken handshake is retried, and exit()
// may interrupt handshakes. The tests need the program openssl.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <thread>

#include "wire/child_process.h"
#include "wire/wire_fixture.h"

namespace aztables {
namespace {

// `openssl s_server` with a self-signed certificate.
class SelfSigned : public ::testing::Test {
 protected:
  void SetUp() override {
    char directory[] = "/tmp/aztables_wire_XXXXXX";
    ASSERT_NE(mkdtemp(directory), nullptr);
    directory_ = directory;
    ASSERT_EQ(std::system("openssl version >/dev/null 2>&1"), 0) << "scripts/deps.sh installs it";
    const std::string key = directory_ + "/key.pem";
    const std::string certificate = directory_ + "/certificate.pem";
    ChildProcess make({"openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                       "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
                       "-keyout", key, "-out", certificate});
    ASSERT_EQ(make.WaitForEnd(milliseconds(60'000)), "exit 0") << make.output();
    StartServer({"-www"});
  }
  // REQUIRES: the key and the certificate exist
  void StartServer(const std::vector<std::string>& options) {
    // It serves files of its working folder.
    std::vector<std::string> command = {"env",      "-C",      directory_,       "openssl",
                                        "s_server", "-accept", "127.0.0.1:0",    "-key",
                                        "key.pem",  "-cert",   "certificate.pem"};
    command.insert(command.end(), options.begin(), options.end());
    server_ = std::make_unique<ChildProcess>(command);
    const auto line = server_->WaitForLine("ACCEPT ", milliseconds(20'000));
    ASSERT_TRUE(line) << server_->output();
    origin_ = "https://127.0.0.1:" + line->substr(line->rfind(':') + 1);
  }
  void TearDown() override {
    server_.reset();
    std::filesystem::remove_all(directory_);
  }

  std::string directory_;
  std::string origin_;
  std::unique_ptr<ChildProcess> server_;
};

void ExpectRefusal(const Outcome& outcome, const std::string& origin) {
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(NameOf(outcome.status().code()), "kError");
  EXPECT_TRUE(outcome.status().message().starts_with("no secure connection to " + origin + ": "))
      << outcome.status().message();
  EXPECT_FALSE(outcome.status().failure().may_have_reached);
}

TEST_F(SelfSigned, IsRefusedAndNotRetried) {
  Client client;
  const auto outcome = client.Send(Read(origin_));
  ExpectRefusal(outcome, origin_);
  EXPECT_NE(outcome.status().message().find("self-signed certificate"), std::string_view::npos)
      << outcome.status().message();
  EXPECT_EQ(client.last_record().attempts, 1);
  ExpectRefusal(client.Send(Write(origin_, "POST", "secret")), origin_);
}

// The client receives many records of TLS at once. It reads all of them, although the socket is not
// readable any more: also a head in many records, and a response that arrives while nobody waits.
TEST_F(SelfSigned, RecordsOfEachSizeArriveWhole) {
  for (const char* const most : {"512", "16384"}) {
    StartServer({"-HTTP", "-http_server_binmode", "-max_send_frag", most});
    for (const size_t size : {size_t{0}, size_t{511}, size_t{100'000}, size_t{3'000'000}}) {
      const std::string body = Bytes(size);
      std::ofstream(directory_ + "/response", std::ios::binary)
          << "HTTP/1.0 200 OK\r\nContent-Length: " << size << "\r\nLong: " << std::string(3000, 'x')
          << "\r\n\r\n"
          << body;
      for (const bool waits : {true, false}) {
        Client client;
        Request request = Read(origin_, "/response");
        request.ca_file = directory_ + "/certificate.pem";
        request.waits = waits;
        request.timeout = milliseconds(20'000);
        request.max_retries = 0;
        const auto exchange = client.Start(std::move(request));
        if (!waits) std::this_thread::sleep_for(milliseconds(100));
        ASSERT_TRUE(client.Wait(*exchange).ok());
        const auto outcome = exchange->Take();
        ASSERT_TRUE(outcome.ok()) << Describe(outcome);
        EXPECT_TRUE(outcome->body == body) << most << ", " << size << ", " << waits;
        EXPECT_EQ(outcome->headers.Get("Long").size(), 3000U);
      }
    }
  }
}

// Responds to the first bytes of each connection, as a server without TLS does. A ClientHello has
// no end that an HTTP server would wait for.
class RespondsAtOnce {
 public:
  explicit RespondsAtOnce(std::string response) : response_(std::move(response)) {
    listener_ = ListenOnFreePort(8, port_);
    thread_ = std::thread([this] { Run(); });
  }
  ~RespondsAtOnce() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
  }
  std::string origin() const { return "https://127.0.0.1:" + std::to_string(port_); }
  int connections() const { return connections_; }

 private:
  void Run() {
    for (int one = 0; (one = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0; close(one)) {
      ++connections_;
      char bytes[4096];
      if (recv(one, bytes, sizeof bytes, 0) <= 0) continue;
      static_cast<void>(send(one, response_.data(), response_.size(), MSG_NOSIGNAL));
    }
  }

  const std::string response_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<int> connections_{0};
  std::thread thread_;
};

TEST(Tls, ServerWithoutTlsIsNotRetried) {
  RespondsAtOnce server("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
  Client client;
  ExpectRefusal(client.Send(Read(server.origin())), server.origin());
  EXPECT_EQ(client.last_record().attempts, 1);
  EXPECT_EQ(server.connections(), 1);
}

// An overloaded load balancer closes connections in this way.
TEST(Tls, BrokenHandshakeIsRetried) {
  RespondsAtOnce server("");
  Client client;
  Request request = Read(server.origin());
  request.max_retries = 1;
  const auto outcome = client.Send(request);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(NameOf(outcome.status().code()), "kBusy") << outcome.status().message();
  EXPECT_TRUE(outcome.status().message().starts_with("no secure connection to "))
      << outcome.status().message();
  EXPECT_FALSE(outcome.status().failure().may_have_reached);
  EXPECT_EQ(client.last_record().attempts, 2);
  EXPECT_EQ(server.connections(), 2);
}

TEST(Tls, HandshakeThatNeverEnds) {
  LoopbackServer server([](const WireRequest&) { return Reply::Text(""); });
  Client client;
  Request request = Write("https" + server.origin().substr(4), "POST", "x");
  request.timeout = milliseconds(300);
  const auto outcome = client.Send(request);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(NameOf(outcome.status().code()), "kBusy");
  EXPECT_FALSE(outcome.status().failure().may_have_reached);
}

// Regression test: libraries that exit() shut down under a running thread caused a crash in one of
// five runs.
TEST(DISABLED_ExitingChild, InHandshakes) {
  const char* const origin = std::getenv("AZTABLES_WIRE_ORIGIN");
  const char* const wait = std::getenv("AZTABLES_WIRE_MS");
  if (origin == nullptr || wait == nullptr) FAIL() << "ExitInHandshakes runs this test";
  static Client& client = *new Client;
  static auto& exchanges = *new std::deque<std::unique_ptr<Exchange>>;
  const Stopwatch stopwatch;
  const milliseconds time(std::atoi(wait));
  for (int i = 0; i < 8; ++i) exchanges.push_back(client.Start(Read(origin)));
  while (stopwatch.elapsed() < time) {
    for (auto& exchange : exchanges) {
      if (exchange->done()) exchange = client.Start(Read(origin));
    }
    std::vector<Exchange*> all;
    all.reserve(exchanges.size());
    for (auto& exchange : exchanges) all.push_back(exchange.get());
    // The server may process one handshake at a time while the other clients wait.
    const Cancel when_due([&] { return stopwatch.elapsed() >= time; });
    static_cast<void>(client.pipeline().WaitAny(all, when_due));
  }
  std::exit(7);
}

TEST_F(SelfSigned, ExitInHandshakes) {
  for (int i = 0; i < 12; ++i) {
    ChildProcess child({SelfPath(), "--gtest_also_run_disabled_tests", "--gtest_brief=1",
                        "--gtest_filter=DISABLED_ExitingChild.InHandshakes"},
                       {"AZTABLES_WIRE_ORIGIN=" + origin_, kLeaksAllowed,
                        "AZTABLES_WIRE_MS=" + std::to_string(40 + 7 * i)});
    EXPECT_EQ(child.WaitForEnd(milliseconds(30'000)), "exit 7") << child.output();
  }
}

}  // namespace
}  // namespace aztables
