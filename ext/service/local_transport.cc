// The in-process transport: see local_transport.h.
#include "service/local_transport.h"

#include <utility>
#include <vector>

#include "service/simulation/simulated_transport.h"
#include "service/table_service.h"

namespace aztables {
namespace {

// A call and the transport share it. The call may be abandoned first.
using LocalJob = TableService::Job;

// The waiting requests and the service. The transport and its calls share it.
class LocalQueue {
 public:
  LocalQueue(std::string path, std::function<Status()> check, const PageRules& pages)
      : path_(std::move(path)), check_(std::move(check)), pages_(pages) {}

  void Add(const std::shared_ptr<LocalJob>& job) { waiting_.push_back(job); }

  // Serves all waiting requests.
  Status Serve(const Cancel& cancel) {
    std::vector<std::shared_ptr<LocalJob>> jobs;
    for (auto& waiting : waiting_) {
      // Skips abandoned calls.
      if (auto job = waiting.lock()) jobs.push_back(std::move(job));
    }
    waiting_.clear();
    if (jobs.empty()) return {};
    Status status = EnsureService();
    if (!status.ok()) {
      for (const auto& job : jobs) job->store_failure = status;
      return {};
    }
    std::vector<TableService::Job*> wanted;
    wanted.reserve(jobs.size());
    for (const auto& job : jobs) wanted.push_back(job.get());
    status = service_->HandleAll(wanted, Peer(), cancel);
    for (const auto& job : jobs) {
      if (!job->done()) waiting_.push_back(job);
    }
    return status;
  }

  std::string RangeStart(const RequestTarget& target) {
    return EnsureService().ok() ? service_->RangeStart(target) : std::string();
  }

 private:
  Status EnsureService() {
    AZTABLES_RETURN_IF_ERROR(check_());
    if (service_) return {};
    auto service = TableService::Open({.store = path_, .pages = pages_});
    if (!service.ok()) return service.status();
    service_ = std::move(*service);
    return {};
  }

  const std::string path_;
  const std::function<Status()> check_;
  const PageRules pages_;
  std::unique_ptr<TableService> service_;
  std::vector<std::weak_ptr<LocalJob>> waiting_;
};

class LocalCall final : public Call {
 public:
  LocalCall(std::shared_ptr<LocalJob> job, std::shared_ptr<LocalQueue> queue)
      : job_(std::move(job)), queue_(std::move(queue)) {}
  bool Done() const override { return job_->done(); }
  Outcome Take() override {
    // A failure of the store is not a response of a service; nothing was changed.
    if (!job_->store_failure.ok()) return job_->store_failure;
    return std::move(*job_->response);
  }
  bool MayHaveReached() const override { return false; }  // a served request has its outcome
  Status Work(const Cancel& cancel, std::chrono::steady_clock::time_point) override {
    return job_->done() ? Status() : queue_->Serve(cancel);
  }

 private:
  std::shared_ptr<LocalJob> job_;
  std::shared_ptr<LocalQueue> queue_;
};

class LocalTransport final : public Transport {
 public:
  explicit LocalTransport(std::shared_ptr<LocalQueue> queue) : queue_(std::move(queue)) {}

  std::unique_ptr<Call> Start(Request& request) override {
    auto job = std::make_shared<LocalJob>();
    job->request = &request;
    queue_->Add(job);
    return std::make_unique<LocalCall>(std::move(job), queue_);
  }

 private:
  std::shared_ptr<LocalQueue> queue_;
};

}  // namespace

Result<std::unique_ptr<Transport>> MakeLocalTransport(std::string path,
                                                      std::function<Status()> check,
                                                      std::string_view simulation) {
  SimulationPlan plan;
  if (!simulation.empty()) {
    auto read = ParsePlan(simulation);
    if (!read.ok()) return read.status();
    plan = std::move(*read);
  }
  auto queue = std::make_shared<LocalQueue>(std::move(path), std::move(check), plan.pages);
  std::unique_ptr<Transport> transport = std::make_unique<LocalTransport>(queue);
  if (simulation.empty()) return transport;
  return MakeSimulatedTransport(std::move(transport),
                                std::make_unique<Simulation>(std::move(plan), ServesAccount(),
                                                             [queue](const RequestTarget& target) {
                                                               return queue->RangeStart(target);
                                                             }));
}

}  // namespace aztables
