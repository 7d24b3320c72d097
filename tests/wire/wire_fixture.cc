// Implements wire_fixture.h. It also replaces getaddrinfo() in the test program.
#include "wire/wire_fixture.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>

namespace aztables {
namespace {

// The tests must not use the machine's proxies.
class NoProxies : public ::testing::Environment {
 public:
  void SetUp() override {
    for (const char* name :
         {"http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"}) {
      unsetenv(name);
    }
  }
};
const auto* const kNoProxies = ::testing::AddGlobalTestEnvironment(new NoProxies);

}  // namespace

std::string_view NameOf(Code code) {
  constexpr std::array<std::string_view, 11> kNames = {
      "kOk",       "kError", "kNotFound", "kAlreadyExists", "kPrecondition", "kNotNull",
      "kMismatch", "kAuth",  "kBusy",     "kReadOnly",      "kInterrupt"};
  const auto place = static_cast<size_t>(code);
  return place < kNames.size() ? kNames[place] : "kTooBig";
}

std::string Describe(const Outcome& outcome) {
  if (outcome.ok()) return "status " + std::to_string(outcome->status);
  const Status status = outcome.status();
  return std::string(NameOf(status.code())) + ": " + std::string(status.message());
}

Client::Client(Credential* credential)
    : pipeline_(MakePipeline(transport_.get(), credential, &log_, &Clock::System())) {}

Outcome Client::Send(Request request, const Cancel& cancel) {
  return pipeline_->Send(std::move(request), cancel);
}

Status Client::Wait(Exchange& exchange, const Cancel& cancel) {
  const std::array<Exchange*, 1> exchanges = {&exchange};
  return pipeline_->WaitAny(exchanges, cancel);
}

bool Client::DriveUntil(Exchange& any, const std::function<bool()>& enough) {
  const Stopwatch stopwatch;
  bool is_enough = false;
  const Cancel cancel([&] {
    is_enough = is_enough || enough();
    return is_enough || stopwatch.elapsed() > milliseconds(10'000);
  });
  while (!cancel.Check().ok() ? false : !any.done()) static_cast<void>(Wait(any, cancel));
  return is_enough;
}

Request Read(std::string origin, std::string path) {
  Request request;
  request.method = "GET";
  request.origin = std::move(origin);
  request.path = std::move(path);
  request.timeout = milliseconds(20'000);
  return request;
}

Request Write(std::string origin, std::string method, std::string body) {
  Request request = Read(std::move(origin));
  request.method = std::move(method);
  request.body = std::move(body);
  request.may_repeat = false;
  return request;
}

std::string Bytes(size_t size) {
  std::string bytes(size, '\0');
  uint32_t state = 2463534242;
  for (char& byte : bytes) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    byte = static_cast<char>(state & 0xff);
  }
  return bytes;
}

int ListenOnFreePort(int backlog, int& port) {
  port = 0;
  return Listen("127.0.0.1", backlog, port);
}

int Listen(const char* text, int backlog, int& port) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  inet_pton(AF_INET, text, &address.sin_addr);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(bind(listener, generic, size), 0);
  EXPECT_EQ(listen(listener, backlog), 0);
  EXPECT_EQ(getsockname(listener, generic, &size), 0);
  port = ntohs(address.sin_port);
  return listener;
}

std::string RefusingOrigin() {
  int port = 0;
  close(ListenOnFreePort(1, port));
  return "http://127.0.0.1:" + std::to_string(port);
}

FullBacklog::FullBacklog(const char* text, int port) : port_(port) {
  listener_ = Listen(text, 0, port_);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  inet_pton(AF_INET, text, &address.sin_addr);
  address.sin_port = htons(static_cast<uint16_t>(port_));
  for (int i = 0; i < 4; ++i) {  // more than the queue holds; the system drops later connections
    waiting_.push_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    static_cast<void>(
        connect(waiting_.back(), reinterpret_cast<sockaddr*>(&address), sizeof address));
  }
}

FullBacklog::~FullBacklog() {
  for (const int one : waiting_) close(one);
  close(listener_);
}

std::string FullBacklog::origin() const { return "http://127.0.0.1:" + std::to_string(port_); }

}  // namespace aztables

// Replaces the system's function of this name, for libcurl too.
// NOLINTBEGIN(readability-identifier-naming, readability-inconsistent-declaration-parameter-name)
extern "C" __attribute__((visibility("default"))) int getaddrinfo(const char* node,
                                                                  const char* service,
                                                                  const addrinfo* hints,
                                                                  addrinfo** found) {
  const std::string_view name = node == nullptr ? "" : node;
  if (name.ends_with(".slow")) {
    std::this_thread::sleep_for(aztables::kSlowLookup);
    return EAI_NONAME;
  }
  using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "getaddrinfo"));
  if (name == "two.addresses") {
    addrinfo* second = nullptr;
    next("127.0.0.1", service, hints, &second);
    const int code = next("127.0.0.2", service, hints, found);
    addrinfo* last = *found;
    while (last->ai_next != nullptr) last = last->ai_next;
    last->ai_next = second;
    return code;
  }
  if (name.find_first_not_of("0123456789.") != std::string_view::npos) return EAI_NONAME;
  return next(node, service, hints, found);
}
// NOLINTEND(readability-identifier-naming, readability-inconsistent-declaration-parameter-name)
