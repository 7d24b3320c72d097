// Fakes for tests of the pipeline: a transport with scripted responses, a clock that advances at
// each reading, and a credential that numbers its signatures.
//
// Thread rule: one thread; another thread may call Release().
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "http/pipeline.h"

namespace aztables::testing_support {

inline Response MakeResponse(int status, std::string body = "", Headers headers = {}) {
  Response response;
  response.status = status;
  response.headers = std::move(headers);
  response.body = std::move(body);
  return response;
}

inline Request MakeRead(std::string path = "/T()") {
  Request request;
  request.method = "GET";
  request.origin = "https://acct.example";
  request.path = std::move(path);
  return request;
}

class FakeTransport final : public Transport {
 public:
  // The outcomes of the next attempts, in order. An attempt beyond the script never ends.
  void Reply(int status, std::string body = "", Headers headers = {}) {
    Script(MakeResponse(status, std::move(body), std::move(headers)), false);
  }
  void Fail(Status status) { Script(std::move(status), false); }
  // An attempt that ends when Release() is called for it; `held` counts from 0.
  void Hold(int status) { Script(MakeResponse(status), true); }
  void Release(size_t held) {
    held_[held]->ended = std::chrono::steady_clock::now();
    held_[held]->released = true;
  }

  std::unique_ptr<Call> Start(Request& request) override {
    sent.push_back(request);
    if (script_.empty()) return std::make_unique<FakeCall>(nullptr, this);
    const std::shared_ptr<Step> step = script_.front();
    script_.pop_front();
    if (step->held) {
      held_.push_back(step);
    } else {
      step->ended = std::chrono::steady_clock::now();
      step->released = true;
    }
    return std::make_unique<FakeCall>(step, this);
  }

  std::vector<Request> sent;  // every attempt at its start
  int live = 0;               // attempts that still exist
  int driven = 0;             // calls of Call::Work()

 private:
  struct Step {
    Step(Outcome outcome_in, bool held_in) : outcome(std::move(outcome_in)), held(held_in) {}
    Outcome outcome;
    bool held;
    std::atomic<bool> released{false};
    std::chrono::steady_clock::time_point ended;
  };

  void Script(Outcome outcome, bool held) {
    script_.push_back(std::make_shared<Step>(std::move(outcome), held));
  }

  class FakeCall final : public Call {
   public:
    FakeCall(std::shared_ptr<Step> step, FakeTransport* transport)
        : step_(std::move(step)), transport_(transport) {
      ++transport_->live;
    }
    ~FakeCall() override { --transport_->live; }
    Status Work(const Cancel&, std::chrono::steady_clock::time_point until) override {
      using std::chrono::steady_clock;
      ++transport_->driven;
      while (!Done() && steady_clock::now() < until) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      return {};
    }
    bool Done() const override { return step_ != nullptr && step_->released; }
    std::chrono::steady_clock::time_point ended() const override { return step_->ended; }
    Outcome Take() override { return std::move(step_->outcome); }

   private:
    std::shared_ptr<Step> step_;
    FakeTransport* transport_;
  };

  std::deque<std::shared_ptr<Step>> script_;
  std::vector<std::shared_ptr<Step>> held_;
};

// Advances by one second at each reading.
class TickingClock final : public Clock {
 public:
  int64_t NowMs() const override { return now_ms_ += 1000; }

 private:
  mutable int64_t now_ms_ = 1'793'613'600'000;  // 2026-11-02T10:00:00Z
};

class CountingCredential final : public Credential {
 public:
  Status Sign(Request& request) override {
    if (fail) return Status::Error("cannot sign");
    request.headers.Set("Authorization", "signature " + std::to_string(++count) + " of " +
                                             std::string(request.headers.Get("x-ms-date")));
    request.credential_query = "sig=TopSecret" + std::to_string(count);
    return {};
  }
  int count = 0;
  bool fail = false;
};

// The whole pipeline; every retry waits 0.1 s.
inline std::unique_ptr<Pipeline> MakeQuickPipeline(Transport* transport, Credential* credential,
                                                   RequestLog* log, const Clock* clock) {
  return std::make_unique<Pipeline>(transport, credential, log, clock, [] { return 0.0; });
}

}  // namespace aztables::testing_support
