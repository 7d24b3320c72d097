// What the wire tests share: a client (transport, pipeline, log) and requests to send with it.
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

// The code as the tests show it, and the sentence.
std::string Describe(const Outcome& outcome);
std::string_view NameOf(Code code);

// The transport over the network below the pipeline of the product.
class Client {
 public:
  explicit Client(const Signer* signer = nullptr);

  Outcome Send(Request request, const Cancel& cancel = {});
  std::unique_ptr<Exchange> Start(Request request) { return pipeline_->Start(std::move(request)); }
  Status Wait(Exchange& exchange, const Cancel& cancel = {});
  Pipeline& pipeline() { return *pipeline_; }
  RequestLog& log() { return log_; }
  const RequestRecord& last_record() const { return log_.records().back(); }
  void DestroyTransport() { transport_.reset(); }

 private:
  RequestLog log_;
  std::unique_ptr<Transport> transport_ = MakeCurlTransport();
  std::unique_ptr<Pipeline> pipeline_;
};

Request Read(std::string origin, std::string path = "/entities");
Request Write(std::string origin, std::string method, std::string body);

// "x" repeated has no position: a repeated or lost block would not show. These bytes have one, and
// every byte value occurs.
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

// An address on which nothing listens.
std::string RefusingOrigin();

// Listens and lets nobody in: connecting to it takes until somebody gives up.
class FullBacklog {
 public:
  FullBacklog();
  ~FullBacklog();
  FullBacklog(const FullBacklog&) = delete;
  FullBacklog& operator=(const FullBacklog&) = delete;
  std::string origin() const;

 private:
  int listener_ = -1;
  int port_ = 0;
  std::vector<int> waiting_;
};

// Looking up names that end in ".slow" takes this long, and other names than addresses fail at
// once: the tests need no name server.
constexpr milliseconds kSlowLookup{4000};

}  // namespace aztables
