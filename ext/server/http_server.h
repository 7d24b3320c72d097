// HttpServer: HTTP/1.1 over TCP for a Handler, with keep-alive, pipelining, chunked bodies and
// "Expect: 100-continue". It is independent of tables.
//
// A malformed or refused head gets its response before the body is read; if there is a body, the
// connection then ends. A request that does not arrive in time gets a 408 response.
//
// The handler gets paths, queries and header values (without blanks around them) unchanged, since
// signatures cover these bytes.
// Thread rule: any thread, for Stop(), too. The handler runs on the thread of each connection.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/status.h"
#include "platform/net.h"
#include "server/http_handler.h"

namespace aztables {

struct HttpServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;                            // 0: a free one
  std::chrono::seconds idle_timeout{120};  // of a connection without traffic
  bool loopback_only = false;              // other addresses than loopback are an error, by kAuth
};

class HttpServer {
 public:
  // Listens when it returns. An error names host and port. Without `check` every head is accepted.
  static Result<std::unique_ptr<HttpServer>> Start(const HttpServerOptions& options,
                                                   Handler handler, HeadCheck check = nullptr);
  ~HttpServer();  // stops
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  const Listener& listener() const;  // with the bound address

  // Stops accepting connections, waits at most some seconds for running requests, and ends all
  // connections. It waits for every call of the handler, even one that ignores its Cancel.
  void Stop();

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace aztables
