// HttpServer: HTTP/1.1 over TCP for a Handler, with keep-alive, pipelining, chunked bodies and
// "Expect: 100-continue". It knows nothing of tables.
//
// A head that is malformed or refused by the check is answered before its body is read; the
// connection ends then if there is a body. A request that does not arrive in time is answered 408.
//
// Paths, queries and header values (but for blanks around them) reach the handler byte for byte,
// since signatures are of these bytes.
// Thread rule: any thread; Stop() too. The handler is called on a thread of each connection.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/status.h"
#include "server/http_handler.h"

namespace aztables {

struct HttpServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;                            // 0: a free one
  std::chrono::seconds idle_timeout{120};  // a connection without traffic for so long is closed
  std::chrono::milliseconds request_timeout{60'000};  // from a request's first byte to its last
  bool loopback_only = false;  // an address beyond loopback is an error, by kAuth
};

class HttpServer {
 public:
  // Listens when it returns. An error is a sentence with host and port. Without `check` every head
  // is taken.
  static Result<std::unique_ptr<HttpServer>> Start(const HttpServerOptions& options,
                                                   Handler handler, HeadCheck check = nullptr);
  ~HttpServer();  // stops
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;
  bool is_loopback() const;
  std::string address() const;  // what it is bound to: "127.0.0.1:10002"
  std::string origin() const;   // "http://127.0.0.1:10002": where this machine reaches it

  // Accepts nothing more, waits some seconds at most for requests under way, and ends every
  // connection. No call of the handler outlives it; one that does not heed its Cancel holds it up.
  void Stop();

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace aztables
