// The transport over the network: see curl_transport.h.
#include "http/curl_transport.h"

#include <new>
#include <utility>

#include "http/curl_driver.h"

namespace aztables {
namespace {

Status AfterFork() {
  return Status::Error(
      "this database connection was used before fork(): open it again in the child");
}

class CurlCall final : public Call {
 public:
  CurlCall(std::unique_ptr<CurlTransfer> transfer, std::shared_ptr<CurlDriver> driver)
      : transfer_(std::move(transfer)), driver_(std::move(driver)) {}
  ~CurlCall() override {
    if (driver_->foreign()) {
      static_cast<void>(transfer_.release());  // libcurl's part belongs to the parent
    } else {
      driver_->Remove(std::move(transfer_));
    }
  }
  const Response* Head() const override {
    return !driver_->foreign() && transfer_->has_head ? &transfer_->head : nullptr;
  }
  bool Done() const override { return driver_->foreign() || transfer_->outcome.has_value(); }
  std::chrono::steady_clock::time_point ended() const override { return transfer_->ended; }
  Status Work(const Cancel&, std::chrono::steady_clock::time_point until) override {
    if (!driver_->foreign()) driver_->Work(until);
    return {};
  }
  Outcome Take() override {
    return driver_->foreign() ? Outcome(AfterFork()) : std::move(*transfer_->outcome);
  }

 private:
  std::unique_ptr<CurlTransfer> transfer_;
  const std::shared_ptr<CurlDriver> driver_;
};

// A request that was never sent.
class FailedCall final : public Call {
 public:
  explicit FailedCall(Status status) : status_(std::move(status)) {}
  bool Done() const override { return true; }
  Outcome Take() override { return status_; }

 private:
  const Status status_;
};

class CurlTransport final : public Transport {
 public:
  ~CurlTransport() override {
    if (!driver_) return;
    if (driver_->foreign()) {
      // Never freed: it belongs to the parent.
      static_cast<void>(new (std::nothrow) std::shared_ptr<CurlDriver>(driver_));
      return;
    }
    driver_->Close();
  }

  std::unique_ptr<Call> Start(Request& request) override {
    Status status = EnsureDriver();
    if (!status.ok()) return std::make_unique<FailedCall>(std::move(status));
    auto transfer = std::make_unique<CurlTransfer>(request);
    CurlTransfer& added = *transfer;
    auto call = std::make_unique<CurlCall>(std::move(transfer), driver_);
    driver_->Add(added);
    // Sends it now if its caller may work on something else first.
    if (!request.waits) driver_->Work({});
    return call;
  }

 private:
  Status EnsureDriver() {
    if (driver_) return driver_->foreign() ? AfterFork() : Status();
    auto driver = CurlDriver::Make();
    if (!driver.ok()) return driver.status();
    driver_ = std::move(*driver);
    return {};
  }

  std::shared_ptr<CurlDriver> driver_;  // from the first request on
};

}  // namespace

std::unique_ptr<Transport> MakeCurlTransport() { return std::make_unique<CurlTransport>(); }

}  // namespace aztables
