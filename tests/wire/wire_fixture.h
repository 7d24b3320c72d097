// Common parts of the wire tests: a client (transport, pipeline, log) and its requests.
//
// Thread rule: the thread of the test.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "http/curl_transport.h"
#include "http/pipeline.h"
#include "support/loopback_server.h"

namespace aztables {

using std::chrono::milliseconds;
using support::LoopbackServer;
using support::Reply;
using support::WireRequest;

// Formats the code and the message as the tests show them.
std::string Describe(const Outcome& outcome);
std::string_view NameOf(Code code);

// A client with the network transport and the product's pipeline.
class Client {
 public:
  explicit Client(Credential* credential = nullptr);

  Outcome Send(Request request, const Cancel& cancel = {});
  std::unique_ptr<Exchange> Start(Request request) { return pipeline_->Start(std::move(request)); }
  Status Wait(Exchange& exchange, const Cancel& cancel = {});
  // Drives what is under way until `enough` is true. False: 10 s have passed.
  bool DriveUntil(Exchange& any, const std::function<bool()>& enough);
  Pipeline& pipeline() { return *pipeline_; }
  RequestLog& log() { return log_; }
  const RequestRecord& last_record() const { return log_.At(log_.size() - 1); }
  void DestroyTransport() { transport_.reset(); }

 private:
  RequestLog log_;
  std::unique_ptr<Transport> transport_ = MakeCurlTransport();
  std::unique_ptr<Pipeline> pipeline_;
};

Request Read(std::string origin, std::string path = "/entities");
Request Write(std::string origin, std::string method, std::string body);

// These bytes differ by position, so the tests notice a repeated or lost block. Every byte value
// occurs.
std::string Bytes(size_t size);

class Stopwatch {
 public:
  milliseconds elapsed() const {
    return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - start_);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// A listening socket on a port of 127.0.0.1 that was free.
int ListenOnFreePort(int backlog, int& port);
int Listen(const char* address, int backlog, int& port);

// An address without a listening server.
std::string RefusingOrigin();

// Listens but accepts nothing: a connection attempt ends only when the client cancels it.
class FullBacklog {
 public:
  FullBacklog() : FullBacklog("127.0.0.1", 0) {}
  FullBacklog(const char* address, int port);  // 0: a free one
  ~FullBacklog();
  FullBacklog(const FullBacklog&) = delete;
  FullBacklog& operator=(const FullBacklog&) = delete;
  std::string origin() const;

 private:
  int listener_ = -1;
  int port_ = 0;
  std::vector<int> waiting_;
};

// The name "two.addresses" has 127.0.0.2 and 127.0.0.1, in this order.
// A lookup of a name that ends in ".slow" takes this long. Other names fail at once; addresses
// work. The tests need no name server.
constexpr milliseconds kSlowLookup{4000};

}  // namespace aztables
