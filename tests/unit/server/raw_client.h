// RawClient: a TCP connection to a server on 127.0.0.1 that sends raw bytes and reads the
// responses. No wait exceeds ten seconds.
//
// Thread rule: one thread each.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace aztables {

struct RawResponse {
  int status = 0;    // 0: the connection ended instead
  std::string head;  // the status line and the headers
  std::string body;

  bool Has(std::string_view line) const {
    return (head + "\r\n").find("\r\n" + std::string(line) + "\r\n") != std::string::npos;
  }
};

class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval most{.tv_sec = 10, .tv_usec = 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~RawClient() { close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool connected() const { return connected_; }

  bool Send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }
  void EndSending() const { shutdown(socket_, SHUT_WR); }

  // The next response. It must have a Content-Length, unless it is a 1xx without body.
  RawResponse Read() {
    RawResponse response;
    size_t end = 0;
    while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
      if (!Receive()) return {};
    }
    response.head = buffer_.substr(0, end);
    buffer_.erase(0, end + 4);
    response.status = std::atoi(response.head.substr(response.head.find(' ') + 1, 3).c_str());
    constexpr std::string_view kLength = "\r\nContent-Length: ";
    size_t size = 0;
    if (const size_t at = response.head.find(kLength); at != std::string::npos) {
      size = static_cast<size_t>(std::atoll(response.head.c_str() + at + kLength.size()));
    }
    while (buffer_.size() < size) {
      if (!Receive()) return {};
    }
    response.body = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return response;
  }
  RawResponse Ask(std::string_view bytes) { return Send(bytes) ? Read() : RawResponse(); }

  // Whether the connection ends within ten seconds, with or without further bytes.
  bool Ends() const {
    char byte = 0;
    ssize_t count = 0;
    while ((count = recv(socket_, &byte, 1, 0)) > 0) {
    }
    return count == 0 || errno == ECONNRESET;
  }

 private:
  bool Receive() {
    char bytes[65536];
    const ssize_t count = recv(socket_, bytes, sizeof bytes, 0);
    if (count <= 0) return false;
    buffer_.append(bytes, static_cast<size_t>(count));
    return true;
  }

  int socket_;
  bool connected_ = false;
  std::string buffer_;
};

}  // namespace aztables
