// The transport over the network: see curl_transport.h. It converts requests to jobs of the I/O
// thread (curl_io.h), which does the rest.
#include "http/curl_transport.h"

#include <new>

#include "http/curl_io.h"
#include "http/showable_response.h"

namespace aztables {
namespace {

Status AfterFork() {
  return Status::Error(
      "this database connection was used before fork(): open it again in the child");
}

class CurlCall final : public Call {
 public:
  // `io` is null if the job was never queued.
  CurlCall(std::shared_ptr<CurlJob> job, std::shared_ptr<CurlIo> io)
      : job_(std::move(job)), io_(std::move(io)) {}
  ~CurlCall() override {
    if (Done()) return;
    job_->abandoned = true;
    io_->Wake();
  }
  const Response* Head() const override {
    return !Lost() && job_->has_head.load(std::memory_order_acquire) ? &job_->head : nullptr;
  }
  bool Done() const override { return Lost() || job_->done.load(std::memory_order_acquire); }
  std::chrono::steady_clock::time_point ended() const override { return job_->ended; }
  bool Work(std::chrono::steady_clock::time_point until) override {
    return !Lost() && io_ && io_->Work(until);
  }
  Outcome Take() override { return Lost() ? Outcome(AfterFork()) : std::move(*job_->outcome); }

 private:
  bool Lost() const { return io_ && io_->foreign(); }

  std::shared_ptr<CurlJob> job_;
  std::shared_ptr<CurlIo> io_;
};

class CurlTransport final : public Transport {
 public:
  ~CurlTransport() override {
    if (!io_) return;
    if (io_->foreign()) {
      // Never freed: it belongs to the parent.
      static_cast<void>(new (std::nothrow) std::shared_ptr<CurlIo>(io_));
      return;
    }
    io_->Stop();
  }

  std::unique_ptr<Call> Start(Request& request, std::shared_ptr<Signal> signal) override {
    auto job = std::make_shared<CurlJob>();
    if (Status status = EnsureThread(); !status.ok()) {
      job->outcome.emplace(std::move(status));
      job->done = true;
      return std::make_unique<CurlCall>(std::move(job), nullptr);
    }
    job->signal = std::move(signal);
    Fill(request, *job);
    auto call = std::make_unique<CurlCall>(job, io_);
    io_->Queue(std::move(job));
    return call;
  }

 private:
  static void Fill(Request& request, CurlJob& job) {
    job.method = request.method;
    const std::string_view sas = request.credential_query.view();
    // Reserved at once: growing would leave a copy of a SAS.
    job.url.reserve(request.origin.size() + request.path.size() + request.query.size() +
                    sas.size() + 2);
    job.url = request.origin + request.path;
    char separator = '?';
    for (const std::string_view part : {std::string_view(request.query), sas}) {
      if (part.empty()) continue;
      job.url += separator;
      job.url += part;
      separator = '&';
    }
    job.place = request.origin;
    job.has_sas = !sas.empty();
    job.signature = SignatureOf(request);
    job.body = request.body;
    job.timeout = request.timeout;
    job.wants_head = request.wants_head;
    job.waits = request.waits;
    job.spare = std::move(request.spare);
    job.ca_file = request.ca_file;
    for (const auto& header : request.headers.all()) {
      // libcurl omits the header for "name:", and sends it empty for "name;".
      job.headers.push_back(header.value.empty() ? header.name + ";"
                                                 : header.name + ": " + header.value);
    }
    job.headers.emplace_back("Expect:");
  }

  Status EnsureThread() {
    if (io_) return io_->foreign() ? AfterFork() : Status();
    auto io = StartCurlIo();
    if (!io.ok()) return io.status();
    io_ = std::move(*io);
    return {};
  }

  std::shared_ptr<CurlIo> io_;  // from the first request on
};

}  // namespace

std::unique_ptr<Transport> MakeCurlTransport() { return std::make_unique<CurlTransport>(); }

}  // namespace aztables
