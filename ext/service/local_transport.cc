// The transport in process: see include/aztables/service/local_transport.h.
#include "aztables/service/local_transport.h"

#include <optional>
#include <vector>

#include "aztables/service/table_service.h"

namespace aztables {
namespace {

// What a call and the transport share; the call may be given up first.
struct LocalJob {
  TableService::Job job;
  std::optional<Status> error;
  bool done() const { return job.response || error; }
};

class LocalCall final : public Call {
 public:
  explicit LocalCall(std::shared_ptr<LocalJob> job) : job_(std::move(job)) {}
  bool Done() const override { return job_->done(); }
  Outcome Take() override {
    if (job_->error) return *job_->error;
    return std::move(*job_->job.response);
  }

 private:
  std::shared_ptr<LocalJob> job_;
};

class LocalTransport final : public Transport {
 public:
  LocalTransport(std::string path, std::function<Status()> check)
      : path_(std::move(path)), check_(std::move(check)) {}

  std::unique_ptr<Call> Start(const Request& request, std::shared_ptr<Signal>) override {
    auto job = std::make_shared<LocalJob>();
    job->job.request = &request;
    queue_.push_back(job);
    return std::make_unique<LocalCall>(std::move(job));
  }

  Status Drive(const Cancel& cancel) override {
    std::vector<std::shared_ptr<LocalJob>> jobs;
    for (auto& waiting : queue_) {
      // Those whose call is gone are nobody's any more.
      if (auto job = waiting.lock()) jobs.push_back(std::move(job));
    }
    queue_.clear();
    if (jobs.empty()) return {};
    Status status = EnsureService();
    if (!status.ok()) {
      for (const auto& job : jobs) job->error = status;
      return {};
    }
    std::vector<TableService::Job*> wanted;
    wanted.reserve(jobs.size());
    for (const auto& job : jobs) wanted.push_back(&job->job);
    status = service_->HandleAll(wanted, cancel);
    for (const auto& job : jobs) {
      if (!job->done()) queue_.push_back(job);
    }
    return status;
  }

 private:
  Status EnsureService() {
    AZTABLES_RETURN_IF_ERROR(check_());
    if (service_) return {};
    ServiceOptions options;
    options.store = path_;
    auto service = TableService::Open(std::move(options));
    if (!service.ok()) return service.status();
    service_ = std::move(*service);
    return {};
  }

  const std::string path_;
  const std::function<Status()> check_;
  std::unique_ptr<TableService> service_;
  std::vector<std::weak_ptr<LocalJob>> queue_;
};

}  // namespace

std::unique_ptr<Transport> MakeLocalTransport(std::string path, std::function<Status()> check) {
  return std::make_unique<LocalTransport>(std::move(path), std::move(check));
}

}  // namespace aztables
