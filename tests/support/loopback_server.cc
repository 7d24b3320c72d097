// The scriptable test server: see loopback_server.h. Plain sockets; every wait also watches the
// eventfd `stop`.
#include "support/loopback_server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>

#include "base/encoding.h"
#include "support/loopback_bytes.h"

namespace aztables::support {
namespace {

using std::chrono::milliseconds;

constexpr size_t kMostHead = size_t{1} << 20;

void Must(bool condition, const char* what) {
  if (condition) return;
  std::perror(what);
  std::abort();
}

}  // namespace

struct LoopbackServer::Impl {
  Handler handler;
  Options options;
  int listener = -1;
  int stop = -1;  // an eventfd, readable once the server must stop
  int port = 0;
  std::mutex handler_mutex;

  mutable std::mutex mutex;
  mutable std::condition_variable changed;
  // Guarded by mutex.
  bool listening = true;
  int accepted = 0;
  std::vector<WireRequest> requests;
  std::map<int, int> open;  // connection number -> socket
  std::vector<int> ended;   // connections whose threads are ending

  std::thread acceptor;
  std::map<int, std::thread> threads;  // used by the acceptor's thread, then by the destructor

  // Waits for one of `events` on `socket`. False if the server stops, or the time is over.
  bool Wait(int socket, short events, int milliseconds = -1) const {
    pollfd watched[2] = {{socket, events, 0}, {stop, POLLIN, 0}};
    int ready = 0;
    do {
      ready = poll(watched, 2, milliseconds);
    } while (ready < 0 && errno == EINTR);
    return watched[1].revents == 0 && watched[0].revents != 0;
  }

  // False if the client disconnects or the server stops.
  bool Pause(int socket, milliseconds time) const {
    if (time.count() == 0) return true;
    pollfd watched[2] = {{socket, POLLRDHUP, 0}, {stop, POLLIN, 0}};
    return poll(watched, 2, static_cast<int>(time.count())) == 0;
  }

  bool Send(int socket, std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent >= 0) {
        bytes.remove_prefix(static_cast<size_t>(sent));
      } else if ((errno != EAGAIN && errno != EINTR) || !Wait(socket, POLLOUT)) {
        return false;
      }
    }
    return true;
  }

  // Appends received bytes to `buffer`; false at the end of the connection.
  bool Receive(int socket, std::string& buffer) const {
    if (!Wait(socket, POLLIN)) return false;
    char bytes[65536];
    const ssize_t count = recv(socket, bytes, sizeof bytes, 0);
    if (count <= 0) return false;
    buffer.append(bytes, static_cast<size_t>(count));
    return true;
  }

  // Reads and records a request; nothing if the connection ends before it is complete.
  std::optional<WireRequest> ReadRequest(int socket, int connection, int on_connection,
                                         std::string& buffer) {
    size_t head_size = 0;
    while ((head_size = buffer.find("\r\n\r\n")) == std::string::npos) {
      if (buffer.size() > kMostHead || !Receive(socket, buffer)) return std::nullopt;
    }
    head_size += 4;
    WireRequest request = ParseHead(std::string_view(buffer).substr(0, head_size));
    buffer.erase(0, head_size);
    request.connection = connection;
    request.on_connection = on_connection;
    size_t place = 0;
    {
      const std::lock_guard lock(mutex);
      place = requests.size();
      request.number = static_cast<int>(place) + 1;
      requests.push_back(request);
    }
    if (options.respond_before_body) return request;
    const auto length = ParseInteger(request.headers.Get("Content-Length")).value_or(0);
    const auto size = static_cast<size_t>(length);
    bool whole = true;
    while (whole && buffer.size() < size) whole = Receive(socket, buffer);
    request.body = buffer.substr(0, size);
    request.complete = whole;
    buffer.erase(0, request.body.size());
    {
      const std::lock_guard lock(mutex);
      requests[place] = request;
    }
    changed.notify_all();
    if (!whole) return std::nullopt;
    return request;
  }

  // Whether the connection continues.
  bool MakeResponse(int socket, const WireRequest& request) {
    Reply reply;
    {
      const std::lock_guard lock(handler_mutex);
      reply = handler(request);
    }
    if (!Pause(socket, reply.delay)) return false;
    const auto [first, second] = BytesOf(reply);
    if (!Send(socket, first) || !Pause(socket, reply.pause) || !Send(socket, second)) return false;
    if (reply.end == Reply::End::kReset) {
      const linger none = {.l_onoff = 1, .l_linger = 0};
      setsockopt(socket, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    }
    if (reply.end == Reply::End::kHold) Wait(socket, POLLRDHUP);
    return reply.end == Reply::End::kKeepAlive;
  }

  void Serve(int socket, int connection) {
    std::string buffer;
    for (int i = 1;; ++i) {
      const auto request = ReadRequest(socket, connection, i, buffer);
      if (!request || !MakeResponse(socket, *request)) break;
    }
    {
      // The entry is removed before the socket is closed, so CloseConnections() never gets a reused
      // descriptor.
      const std::lock_guard lock(mutex);
      open.erase(connection);
      ended.push_back(connection);
      close(socket);
    }
    changed.notify_all();
  }

  void Accept() {
    while (Wait(listener, POLLIN)) {
      const int socket = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) {
        const std::lock_guard lock(mutex);
        if (!listening) return;
        continue;
      }
      const int on = 1;
      setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      std::vector<int> over;
      int connection = 0;
      {
        const std::lock_guard lock(mutex);
        connection = ++accepted;
        open.emplace(connection, socket);
        over.swap(ended);
      }
      changed.notify_all();
      for (const int number : over) {
        threads.at(number).join();
        threads.erase(number);
      }
      threads.emplace(connection, [this, socket, connection] { Serve(socket, connection); });
    }
  }
};

Reply Reply::Text(std::string body, int status) {
  Reply reply;
  reply.status = status;
  reply.body = std::move(body);
  return reply;
}

Reply Reply::Nothing(End end) { return Raw("", end); }

Reply Reply::Raw(std::string bytes, End end) {
  Reply reply;
  reply.raw = std::move(bytes);
  reply.end = end;
  return reply;
}

LoopbackServer::LoopbackServer(Handler handler) : LoopbackServer(std::move(handler), Options()) {}

LoopbackServer::LoopbackServer(Handler handler, Options options) : impl_(std::make_unique<Impl>()) {
  impl_->handler = std::move(handler);
  impl_->options = options;
  impl_->stop = eventfd(0, EFD_CLOEXEC);
  impl_->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  Must(impl_->stop >= 0 && impl_->listener >= 0, "loopback server: socket");
  Must(bind(impl_->listener, generic, size) == 0, "loopback server: bind");
  Must(listen(impl_->listener, 256) == 0, "loopback server: listen");
  Must(getsockname(impl_->listener, generic, &size) == 0, "loopback server: getsockname");
  impl_->port = ntohs(address.sin_port);
  impl_->acceptor = std::thread([impl = impl_.get()] { impl->Accept(); });
}

LoopbackServer::~LoopbackServer() {
  const uint64_t one = 1;
  Must(write(impl_->stop, &one, sizeof one) == sizeof one, "loopback server: stop");
  impl_->acceptor.join();
  for (auto& [number, thread] : impl_->threads) thread.join();
  close(impl_->listener);
  close(impl_->stop);
}

int LoopbackServer::port() const { return impl_->port; }

std::string LoopbackServer::origin() const {
  return "http://127.0.0.1:" + std::to_string(impl_->port);
}

std::vector<WireRequest> LoopbackServer::requests() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->requests;
}

size_t LoopbackServer::request_count() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->requests.size();
}

int LoopbackServer::connection_count() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->accepted;
}

int LoopbackServer::open_connections() const {
  const std::lock_guard lock(impl_->mutex);
  return static_cast<int>(impl_->open.size());
}

bool LoopbackServer::WaitForRequests(size_t count, milliseconds most) const {
  std::unique_lock lock(impl_->mutex);
  return impl_->changed.wait_for(lock, most, [&] {
    const auto complete = std::count_if(impl_->requests.begin(), impl_->requests.end(),
                                        [](const WireRequest& r) { return r.complete; });
    return static_cast<size_t>(complete) >= count;
  });
}

bool LoopbackServer::WaitForOpenConnections(int at_most, milliseconds most) const {
  std::unique_lock lock(impl_->mutex);
  return impl_->changed.wait_for(
      lock, most, [&] { return impl_->open.size() <= static_cast<size_t>(at_most); });
}

void LoopbackServer::StopListening() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->listening = false;
  }
  shutdown(impl_->listener, SHUT_RDWR);
}

void LoopbackServer::CloseConnections() {
  const std::lock_guard lock(impl_->mutex);
  for (const auto& [number, socket] : impl_->open) shutdown(socket, SHUT_RDWR);
}

}  // namespace aztables::support
