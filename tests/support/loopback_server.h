// LoopbackServer: a scriptable HTTP/1.1 server on 127.0.0.1 for tests, independent of tables. A
// handler chooses the bytes and the misbehaviour for each request. All requests are recorded.
// Bodies must have a Content-Length.
//
// Thread rule: public methods may be called on any thread. The server has an accepting thread and
// one per connection. The latter call the handler, one call at a time. So a handler needs a lock
// only for state that it shares with the test's thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "http/message.h"

namespace aztables::support {

struct WireRequest {
  std::string method;
  std::string target;  // unchanged
  Headers headers;
  std::string body;       // the received part
  bool complete = false;  // false: the connection ended before the body was complete
  int number = 0;         // 1, 2, 3, ... in the order of arrival
  int connection = 0;     // 1, 2, 3, ... in the order of acceptance
  int on_connection = 0;  // 1, 2, 3, ... within its connection
};

// The server's reply to one request: waits `delay`, sends a response, and ends or keeps the
// connection.
struct Reply {
  enum class End {
    kKeepAlive,  // reads the next request
    kClose,      // closes without announcing it
    kReset,      // the client sees ECONNRESET
    kHold,       // sends nothing more until the client disconnects or the server stops
  };

  static Reply Text(std::string body, int status = 200);
  // No response at all.
  static Reply Nothing(End end);
  // Arbitrary bytes instead of an HTTP response.
  static Reply Raw(std::string bytes, End end);

  int status = 200;
  std::vector<Headers::Header> headers;  // in addition to Content-Length and Transfer-Encoding
  std::string body;
  std::optional<std::string> raw;  // replaces all of the above

  bool interim = false;        // sends "100 Continue" first
  std::vector<size_t> chunks;  // sizes of chunks, with the rest in a last one; empty: no chunks
  size_t missing = 0;          // announced bytes that are not sent; REQUIRES: not kKeepAlive
  std::chrono::milliseconds delay{0};  // before the first byte
  std::chrono::milliseconds pause{0};  // after the head and half of the body
  End end = End::kKeepAlive;
};

class LoopbackServer {
 public:
  using Handler = std::function<Reply(const WireRequest&)>;
  struct Options {
    // Calls the handler after the head. The body is not read, and the reply should end the
    // connection.
    bool respond_before_body = false;
  };

  // Listens when it returns. Ends the process if it cannot get a socket.
  explicit LoopbackServer(Handler handler);
  LoopbackServer(Handler handler, Options options);
  // Ends all connections and joins all threads and calls of the handler.
  ~LoopbackServer();
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  int port() const;
  std::string origin() const;  // "http://127.0.0.1:<port>"

  // All requests in the order of WireRequest::number, even incomplete ones. A request is added
  // before its handler is called.
  std::vector<WireRequest> requests() const;
  size_t request_count() const;
  int connection_count() const;  // accepted connections
  int open_connections() const;

  // Wait until so many requests are complete, or at most this many connections are open; false if
  // that takes too long.
  bool WaitForRequests(size_t count, std::chrono::milliseconds most) const;
  bool WaitForOpenConnections(int at_most, std::chrono::milliseconds most) const;

  // Refuses new connections; existing ones continue.
  void StopListening();
  // Ends all open connections.
  void CloseConnections();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aztables::support
