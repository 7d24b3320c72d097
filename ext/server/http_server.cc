// HttpServer over libmicrohttpd, which no other file uses. See http_server.h.
//
// Each connection has a thread. The handler blocks on the disk and on other writers, so an event
// loop would need threads, too. Clients run on this machine and have at most hundreds of
// connections. A waiting thread costs little but address space. select() would be limited to 1,024
// descriptors, so poll() is used.
#include "server/http_server.h"

#include <microhttpd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>

#include "aztables.h"
#include "base/encoding.h"
#include "server/framing.h"
#include "server/incoming_request.h"

namespace aztables {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr unsigned kMostConnections = 2000;
// Memory of one connection: the heads of a request and its response. Keys and continuation tokens
// make them long.
constexpr size_t kConnectionMemory = size_t{192} << 10;
constexpr seconds kRequestTime{30};
constexpr milliseconds kStopArriving{500};
constexpr milliseconds kStopResponding{5000};

// Counts the requests that arrive or run, so that a server that stops can wait for them. Any thread
// may call it.
class UnderWay {
 public:
  void BeginArriving() { Change(+1, 0); }
  void BeginResponse() { Change(-1, +1); }  // the request is complete
  void End(bool was_responding) { was_responding ? Change(0, -1) : Change(-1, 0); }

  void Stop() { stopping_ = true; }
  bool stopping() const { return stopping_; }

  // Waits until nothing is under way. A client may never complete its request, so arriving requests
  // get less time than running ones.
  void WaitForEnd(std::chrono::milliseconds most_arriving, std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, most_arriving, [this] { return arriving_ == 0 && responding_ == 0; });
    changed_.wait_for(lock, most - most_arriving, [this] { return responding_ == 0; });
  }

 private:
  void Change(int arriving, int responding) {
    {
      const std::lock_guard lock(mutex_);
      arriving_ += arriving;
      responding_ += responding;
    }
    changed_.notify_all();
  }

  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  int arriving_ = 0;
  int responding_ = 0;
};

// A request from its first line to the end of its response; MHD stores it as *con_cls.
struct Exchange {
  IncomingRequest incoming;
  Response refused;  // status 0: the head is accepted
  bool responding = false;
  bool unread = false;  // the response was sent before the body was read
};

struct CollectedHeaders {
  Headers headers;
  bool whole = true;
};

// Runs `body` for a callback of MHD, which is C code, so no exception may leave it. If memory is
// exhausted, the callback returns `failed`.
template <typename Body, typename Returned = std::invoke_result_t<Body>>
Returned Guard(Returned failed, Body&& body) noexcept {
  try {
    return body();
  } catch (...) {
    return failed;
  }
}

MHD_Result CollectHeader(void* headers, MHD_ValueKind, const char* name, size_t name_size,
                         const char* value, size_t value_size) {
  auto& collected = *static_cast<CollectedHeaders*>(headers);
  collected.whole = Guard(false, [&] {
    collected.headers.Add(std::string(name, name_size),
                          value == nullptr ? std::string() : std::string(value, value_size));
    return true;
  });
  return collected.whole ? MHD_YES : MHD_NO;
}

CollectedHeaders HeadersOf(MHD_Connection* connection) {
  CollectedHeaders collected;
  MHD_get_connection_values_n(connection, MHD_HEADER_KIND, &CollectHeader, &collected);
  return collected;
}

int SocketOf(MHD_Connection* connection) {
  const MHD_ConnectionInfo* info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == nullptr ? -1 : info->connect_fd;
}

Peer PeerOf(MHD_Connection* connection) {
  const MHD_ConnectionInfo* info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  Peer peer;
  if (info != nullptr && info->client_addr != nullptr) {
    peer.address = AddressText(info->client_addr);
  }
  peer.has_gone = [socket = SocketOf(connection)] { return IsClosedByPeer(socket); };
  return peer;
}

Response Sentence(int status, std::string_view sentence) {
  Response response{.status = status};
  response.headers.Add("Content-Type", "text/plain");
  response.body = std::string(sentence) + "\n";
  return response;
}

void FreeBody(void* body) { delete static_cast<std::string*>(body); }

// A body of which only the beginning is sent.
struct CutBody {
  std::string bytes;
  size_t kept = 0;
};

ssize_t ReadCutBody(void* body, uint64_t begin, char* to, size_t room) {
  const auto& cut = *static_cast<const CutBody*>(body);
  if (begin >= cut.kept) return MHD_CONTENT_READER_END_WITH_ERROR;  // closes the connection
  return static_cast<ssize_t>(cut.bytes.copy(to, std::min(room, cut.kept - begin), begin));
}

void FreeCutBody(void* body) { delete static_cast<CutBody*>(body); }

// MHD owns the body. Null if there is no memory.
MHD_Response* MakeBody(HandlerReply& reply) {
  std::string& bytes = reply.response.body;
  if (reply.kept) {
    auto cut = std::make_unique<CutBody>(CutBody{std::move(bytes), *reply.kept});
    MHD_Response* const made = MHD_create_response_from_callback(
        cut->bytes.size(), 65'536, &ReadCutBody, cut.get(), &FreeCutBody);
    if (made != nullptr) static_cast<void>(cut.release());
    return made;
  }
  auto body = std::make_unique<std::string>(std::move(bytes));
  MHD_Response* const made = MHD_create_response_from_buffer_with_free_callback_cls(
      body->size(), body->data(), &FreeBody, body.get());
  if (made != nullptr) static_cast<void>(body.release());
  return made;
}

// MHD writes these headers itself.
bool IsOurs(std::string_view name) {
  for (const std::string_view ours : {"Content-Length", "Transfer-Encoding", "Server"}) {
    if (EqualsIgnoreCase(name, ours)) return true;
  }
  return false;
}

// Passes the response to MHD. A missing response closes the connection (MHD_NO).
MHD_Result Queue(MHD_Connection* connection, HandlerReply reply, bool close) {
  if (reply.reset) ResetConnection(SocketOf(connection));
  const Response& response = reply.response;
  if (reply.reset || response.status == 0) return MHD_NO;
  const bool is_empty = response.body.empty();
  MHD_Response* mhd = MakeBody(reply);
  if (mhd == nullptr) return MHD_NO;
  if (is_empty && response.status == MHD_HTTP_NO_CONTENT) {
    // The service sends Content-Length with each 204; MHD would omit it.
    MHD_set_response_options(mhd, MHD_RF_INSANITY_HEADER_CONTENT_LENGTH, MHD_RO_END);
    MHD_add_response_header(mhd, MHD_HTTP_HEADER_CONTENT_LENGTH, "0");
  }
  MHD_add_response_header(mhd, MHD_HTTP_HEADER_SERVER, "aztables-server/" AZTABLES_VERSION);
  if (close) MHD_add_response_header(mhd, MHD_HTTP_HEADER_CONNECTION, "close");
  for (const auto& header : response.headers.all()) {
    if (IsOurs(header.name)) continue;
    MHD_add_response_header(mhd, header.name.c_str(), header.value.c_str());
  }
  const MHD_Result queued =
      MHD_queue_response(connection, static_cast<unsigned>(response.status), mhd);
  MHD_destroy_response(mhd);  // MHD keeps its own reference
  return queued;
}

}  // namespace

class HttpServer::Impl {
 public:
  Impl(std::unique_ptr<Listener> listener, Handler handler, HeadCheck check,
       const HttpServerOptions& options)
      : listener_(std::move(listener)),
        handler_(std::move(handler)),
        check_(std::move(check)),
        idle_timeout_(static_cast<unsigned>(options.idle_timeout.count())) {}
  ~Impl() { Stop(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Status Start() {
    no_memory_.reset(MHD_create_response_from_buffer(0, nullptr, MHD_RESPMEM_PERSISTENT));
    if (!no_memory_) return Status::Error("there is no memory to serve HTTP");
    MHD_add_response_header(no_memory_.get(), MHD_HTTP_HEADER_CONNECTION, "close");
    daemon_ =
        MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION |
                             MHD_USE_POLL | MHD_USE_ITC,
                         0, nullptr, nullptr, &Impl::OnRequest, this,                             //
                         MHD_OPTION_LISTEN_SOCKET, static_cast<MHD_socket>(listener_->socket()),  //
                         MHD_OPTION_CONNECTION_LIMIT, kMostConnections,                           //
                         MHD_OPTION_CONNECTION_MEMORY_LIMIT, kConnectionMemory,                   //
                         MHD_OPTION_CONNECTION_TIMEOUT, idle_timeout_,                            //
                         MHD_OPTION_URI_LOG_CALLBACK, &Impl::OnTarget, this,                      //
                         MHD_OPTION_NOTIFY_COMPLETED, &Impl::OnCompleted, this,                   //
                         MHD_OPTION_END);
    if (daemon_ != nullptr) return {};
    return Status::Error("cannot serve HTTP on " + listener_->address());
  }

  void Stop() {
    const std::lock_guard lock(stop_mutex_);
    if (daemon_ == nullptr) return;
    under_way_.Stop();
    MHD_quiesce_daemon(daemon_);
    {
      const std::lock_guard refuse_lock(refuse_mutex_);
      listener_->Refuse();
    }
    under_way_.WaitForEnd(kStopArriving, kStopResponding);
    MHD_stop_daemon(daemon_);
    daemon_ = nullptr;
  }

  const Listener& listener() const { return *listener_; }

 private:
  // Only this callback gets the raw target, before MHD decodes it and splits the query. The
  // returned pointer becomes *exchange of the other two callbacks.
  static void* OnTarget(void* self, const char* target, MHD_Connection*) {
    return Guard(static_cast<Exchange*>(nullptr), [&]() -> Exchange* {
      auto* const exchange = new Exchange{.incoming = IncomingRequest(target)};
      static_cast<Impl*>(self)->under_way_.BeginArriving();
      return exchange;
    });
  }

  // Called with the head, with each part of the body, and at its end.
  static MHD_Result OnRequest(void* self, MHD_Connection* connection, const char*,
                              const char* method, const char* version, const char* bytes,
                              size_t* size, void** state) {
    auto* const impl = static_cast<Impl*>(self);
    auto* exchange = static_cast<Exchange*>(*state);
    if (exchange == nullptr) return MHD_NO;
    IncomingRequest& incoming = exchange->incoming;
    if (!incoming.begun()) {
      return Guard(MHD_NO, [&] { return impl->TakeHead(connection, *exchange, method, version); });
    }
    if (*size > 0) {
      const size_t count = std::exchange(*size, 0);
      return Guard(MHD_NO, [&] { return incoming.Append({bytes, count}) ? MHD_YES : MHD_NO; });
    }
    impl->BeginResponse(*exchange);
    const auto queued = Guard(std::optional<MHD_Result>(),
                              [&] { return std::optional(impl->Respond(connection, *exchange)); });
    if (queued) return *queued;
    return MHD_queue_response(connection, MHD_HTTP_SERVICE_UNAVAILABLE, impl->no_memory_.get());
  }

  static void OnCompleted(void* self, MHD_Connection* connection, void** state,
                          MHD_RequestTerminationCode) {
    const std::unique_ptr<Exchange> exchange(
        static_cast<Exchange*>(std::exchange(*state, nullptr)));
    if (!exchange) return;
    auto* const impl = static_cast<Impl*>(self);
    impl->under_way_.End(exchange->responding);
    if (exchange->unread) {
      LingerBeforeClose(SocketOf(connection), [impl] { return !impl->under_way_.stopping(); });
    }
  }

  // The response to a faulty head; status 0 if there is no fault.
  Response Judge(const IncomingRequest& incoming, std::string_view error, const Peer& peer) const {
    if (!error.empty()) return Sentence(MHD_HTTP_BAD_REQUEST, error);
    if (!incoming.has_path()) return Sentence(MHD_HTTP_BAD_REQUEST, "The address is not a path.");
    if (check_) {
      if (auto refused = check_(incoming.request(), peer, MakeCancel())) return *refused;
    }
    if (!incoming.announces_too_much()) return {};
    return Sentence(MHD_HTTP_CONTENT_TOO_LARGE, "The body is too large.");
  }

  MHD_Result TakeHead(MHD_Connection* connection, Exchange& exchange, const char* method,
                      const char* version) {
    CollectedHeaders collected = HeadersOf(connection);
    if (!collected.whole) return MHD_NO;
    const std::string_view error = FramingError(version, collected.headers);
    IncomingRequest& incoming = exchange.incoming;
    incoming.Begin(method, std::move(collected.headers), listener_->address());
    exchange.refused = Judge(incoming, error, PeerOf(connection));
    if (exchange.refused.status == 0) return MHD_YES;
    // Without a body the connection can continue, so the response takes the normal path.
    if (error.empty() && !HasBody(incoming.request().headers)) return MHD_YES;
    BeginResponse(exchange);
    exchange.unread = true;
    return Queue(connection, {.response = std::move(exchange.refused)}, true);
  }

  void BeginResponse(Exchange& exchange) {
    exchange.responding = true;
    under_way_.BeginResponse();
  }

  MHD_Result Respond(MHD_Connection* connection, Exchange& exchange) {
    HandlerReply reply{.response = std::move(exchange.refused)};
    if (reply.response.status == 0) {
      reply = handler_(exchange.incoming.request(), PeerOf(connection), MakeCancel());
    }
    const milliseconds refuse = reply.refuse;
    const MHD_Result queued = Queue(connection, std::move(reply), under_way_.stopping());
    if (refuse.count() > 0) RefuseConnections(refuse);
    return queued;
  }

  // Returns when the time is over: only the thread of the connection that was hit waits.
  void RefuseConnections(milliseconds time) {
    {
      const std::lock_guard lock(refuse_mutex_);
      if (refusing_++ == 0) listener_->Refuse();
    }
    constexpr milliseconds kStep{10};
    const auto end = steady_clock::now() + time;
    while (!under_way_.stopping() && steady_clock::now() < end) std::this_thread::sleep_for(kStep);
    const std::lock_guard lock(refuse_mutex_);
    if (--refusing_ == 0 && !under_way_.stopping()) listener_->Accept();
  }

  Cancel MakeCancel() const {
    return Cancel([this, end = steady_clock::now() + kRequestTime]() -> Status {
      if (under_way_.stopping()) return {Code::kInterrupt, "the server stops"};
      if (steady_clock::now() < end) return {};
      return {Code::kBusy, "the request took too long"};
    });
  }

  const std::unique_ptr<const Listener> listener_;
  const Handler handler_;
  const HeadCheck check_;
  const unsigned idle_timeout_;  // seconds
  UnderWay under_way_;
  // The response if memory is exhausted; made in advance.
  std::unique_ptr<MHD_Response, decltype(&MHD_destroy_response)> no_memory_{nullptr,
                                                                            &MHD_destroy_response};
  std::mutex refuse_mutex_;
  int refusing_ = 0;  // requests that make the listener refuse; guarded by refuse_mutex_
  std::mutex stop_mutex_;
  MHD_Daemon* daemon_ = nullptr;  // guarded by stop_mutex_
};

Result<std::unique_ptr<HttpServer>> HttpServer::Start(const HttpServerOptions& options,
                                                      Handler handler, HeadCheck check) {
  auto listener = Listener::Open(options.host, options.port);
  if (!listener.ok()) return listener.status();
  if (options.loopback_only && !(*listener)->is_loopback()) {
    return Status(Code::kAuth, (*listener)->address() + " is not a loopback address");
  }
  auto impl =
      std::make_unique<Impl>(std::move(*listener), std::move(handler), std::move(check), options);
  AZTABLES_RETURN_IF_ERROR(impl->Start());
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() = default;

const Listener& HttpServer::listener() const { return impl_->listener(); }
void HttpServer::Stop() { impl_->Stop(); }

}  // namespace aztables
