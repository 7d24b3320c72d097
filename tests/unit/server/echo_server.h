// EchoServer: an HttpServer whose responses describe the requests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "server/http_server.h"
#include "server/simulated_handler.h"

namespace aztables {

// The body is "method path?query size". All requests are recorded.
class EchoServer {
 public:
  // `plan` is that of a simulation; empty: none.
  explicit EchoServer(const std::string& plan = "", const HttpServerOptions& options = {}) {
    Handler echo = [this](const Request& request, const Peer& peer, const Cancel&) {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
      peer_ = peer.address;
      Response response{.status = 200};
      response.body = request.method + " " + request.path + "?" + request.query + " " +
                      std::to_string(request.body.size());
      return HandlerReply{.response = std::move(response)};
    };
    if (!plan.empty()) {
      auto parsed = ParsePlan(plan);
      EXPECT_TRUE(parsed.ok()) << parsed.status().message();
      if (!parsed.ok()) return;
      echo =
          WithSimulation(std::move(echo), std::make_shared<Simulation>(*parsed, nullptr, nullptr));
    }
    auto started = HttpServer::Start(options, std::move(echo));
    EXPECT_TRUE(started.ok()) << started.status().message();
    if (started.ok()) server_ = std::move(*started);
  }

  HttpServer& operator*() { return *server_; }
  HttpServer* operator->() { return server_.get(); }

  std::vector<Request> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  std::string peer() const {
    const std::lock_guard lock(mutex_);
    return peer_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Request> requests_;
  std::string peer_;
  std::unique_ptr<HttpServer> server_;  // last: its threads use the others
};

// An HttpServer with this handler, on a free port.
inline std::unique_ptr<HttpServer> StartServer(Handler handler,
                                               const HttpServerOptions& options = {}) {
  auto started = HttpServer::Start(options, std::move(handler));
  EXPECT_TRUE(started.ok()) << started.status().message();
  return started.ok() ? std::move(*started) : nullptr;
}

}  // namespace aztables
