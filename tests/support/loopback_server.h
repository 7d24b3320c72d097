// LoopbackServer: a scriptable HTTP/1.1 server on 127.0.0.1 for tests. A handler says for each
// request which bytes go back and how the server misbehaves; everything that arrived can be asked
// for later. It knows nothing of tables. Request bodies must have a Content-Length.
//
// Thread rule: the public methods may be called on any thread. The server has one thread that
// accepts and one for each connection; it calls the handler on the latter, one call at a time, so
// that a handler needs a lock only for what it shares with the test's own thread.
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
  std::string target;  // exactly as on the wire
  Headers headers;
  std::string body;       // what arrived of it
  bool complete = false;  // false: the connection ended, or was ended, before the whole body came
  int number = 0;         // 1, 2, 3, ... in the order in which the heads of requests arrived
  int connection = 0;     // 1, 2, 3, ... in the order in which the connections were accepted
  int on_connection = 0;  // 1, 2, 3, ... within its connection
};

// What the server does about one request: waits `delay`, sends a response, and lets the connection
// end or live on.
struct Reply {
  enum class End {
    kKeepAlive,  // goes on with the next request
    kClose,      // closes, without having said so
    kReset,      // the client sees ECONNRESET
    kHold,       // sends nothing more until the client goes away or the server stops
  };

  static Reply Text(std::string body, int status = 200);
  // Not a byte of a response.
  static Reply Nothing(End end);
  // These bytes, whatever they are, instead of a response in HTTP.
  static Reply Raw(std::string bytes, End end);

  int status = 200;
  std::vector<Headers::Header> headers;  // besides Content-Length and Transfer-Encoding
  std::string body;
  std::optional<std::string> raw;  // sent instead of all of the above

  bool interim = false;  // a "100 Continue" goes before the response
  std::vector<size_t>
      chunks;          // not empty: sent in chunks of these sizes, what is left in a last one
  size_t missing = 0;  // so many bytes are promised and not sent; REQUIRES: not kKeepAlive
  std::chrono::milliseconds delay{0};  // before the first byte
  std::chrono::milliseconds pause{0};  // after the head and half of the body
  End end = End::kKeepAlive;
};

class LoopbackServer {
 public:
  using Handler = std::function<Reply(const WireRequest&)>;
  struct Options {
    // Asks the handler as soon as the head is there. The body is then not read at all, and the
    // connection should end with the reply.
    bool respond_before_body = false;
  };

  // Listens when the constructor returns. Ends the process if there is no socket to be had.
  explicit LoopbackServer(Handler handler);
  LoopbackServer(Handler handler, Options options);
  // Ends every connection and joins all threads; no call of the handler outlives it.
  ~LoopbackServer();
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  int port() const;
  std::string origin() const;  // "http://127.0.0.1:<port>"

  // What arrived so far, in the order of WireRequest::number, requests cut short included. A
  // request is here before its handler is called.
  std::vector<WireRequest> requests() const;
  size_t request_count() const;
  int connection_count() const;  // accepted so far
  int open_connections() const;

  // Wait until so many requests have arrived completely, or no more connections than this are open;
  // false if it does not come to that in time.
  bool WaitForRequests(size_t count, std::chrono::milliseconds most) const;
  bool WaitForOpenConnections(int at_most, std::chrono::milliseconds most) const;

  // From now on connecting is refused; the connections live on.
  void StopListening();
  // Ends every connection that is open now.
  void CloseConnections();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aztables::support
