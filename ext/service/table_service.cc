// The service: see table_service.h. It reads and authenticates requests and passes them to the
// store; the handlers (handlers.h) run the operations.
#include "service/table_service.h"

#include "base/crypto.h"
#include "service/handlers/handlers.h"
#include "service/storage_error.h"
#include "service/store/table_rows.h"
#include "service/xml/xml_documents.h"

namespace aztables {
namespace {

constexpr std::string_view kChallenge =
    "Bearer authorization_uri=https://login.microsoftonline.com/"
    "00000000-0000-0000-0000-000000000000/oauth2/authorize resource_id=https://storage.azure.com";

bool ChangesSomething(const Route& route) { return route.write != nullptr; }

Response Refused(const ServiceCall& call, const Status& error) {
  Response response = ErrorResponse(call.frame, error);
  if (response.status == 401) response.headers.Add("WWW-Authenticate", std::string(kChallenge));
  return response;
}

}  // namespace

class TableService::Impl {
 public:
  explicit Impl(ServiceOptions options)
      : options_(std::move(options)), store_(options_.store, options_.clock) {
    if (options_.accounts.empty()) return;
    serves_ = [this](std::string_view account) {
      return options_.accounts.find(account) != options_.accounts.end();
    };
  }

  const std::string& path() const { return options_.store; }
  Status Check() { return store_.Check(options_.create, Cancel()); }

  // The response to an abandoned request.
  Response Unserved(const Request& request, const Status& why) {
    ServiceCall call;
    call.request = &request;
    static_cast<void>(ReadCall(serves_, options_.clock->NowMs(), call));
    return ErrorResponse(call.frame, why);
  }

  std::optional<Response> RefuseHead(const Request& head, const Peer& peer, const Cancel& cancel) {
    ServiceCall call;
    call.request = &head;
    Status status = ReadCall(serves_, options_.clock->NowMs(), call);
    if (status.ok()) status = FindAccess(peer, cancel, call);
    return status.ok() ? std::nullopt : std::optional(Refused(call, status));
  }

  Status HandleAll(std::span<Job* const> jobs, const Peer& peer, const Cancel& cancel) {
    std::vector<std::unique_ptr<Pending>> pending;
    for (Job* job : jobs) {
      auto one = std::make_unique<Pending>();
      one->job = job;
      one->call.request = job->request;
      Status status = Begin(peer, cancel, *one);
      if (status.ok() && !ChangesSomething(one->route)) status = Read(cancel, *one);
      if (!status.ok()) {
        AZTABLES_RETURN_IF_ERROR(cancel.Check());
        Fail(*one, status);
      } else if (ChangesSomething(one->route)) {
        pending.push_back(std::move(one));
      }
    }
    return Write(pending, cancel);
  }

 private:
  struct Pending {
    Job* job = nullptr;
    ServiceCall call;
    Route route;
    StoreWrite write;
    Response response;
    Status failed;  // why it has no response
  };

  static void Finish(const Pending& one, Response response) {
    one.job->response = std::make_unique<Response>(std::move(response));
  }

  static void Fail(const Pending& one, const Status& error) {
    if (IsStoreFailure(error)) one.job->store_failure = error;
    Finish(one, Refused(one.call, error));
  }

  // Reads and authenticates the request and finds its handler.
  Status Begin(const Peer& peer, const Cancel& cancel, Pending& one) {
    ServiceCall& call = one.call;
    AZTABLES_RETURN_IF_ERROR(ReadCall(serves_, options_.clock->NowMs(), call));
    AZTABLES_RETURN_IF_ERROR(FindAccess(peer, cancel, call));
    auto route = FindRoute(call);
    if (!route.ok()) return route.status();
    one.route = std::move(*route);
    if (call.address.secondary && ChangesSomething(one.route)) {
      return ToStatus(errors::kInsufficientAccountPermissions);
    }
    if (one.route.checked_inside) return {};
    return CheckAllowed(call.access, one.route.operation, call.address.table);
  }

  Status FindAccess(const Peer& peer, const Cancel& cancel, ServiceCall& call) {
    if (!serves_) return {};
    AuthenticationInput input;
    input.request = call.request;
    input.query = &call.options.all();
    input.account = call.address.account;
    input.keys = &options_.accounts;
    input.client_address = peer.address;
    input.https = peer.https;
    input.now_ms = call.frame.now_ms;
    Status store_failure;
    input.policy = [&](std::string_view table, std::string_view id) {
      std::optional<StoredPolicy> policy;
      store_failure = FindPolicy(call.address.account, table, id, cancel, policy);
      return policy;
    };
    auto access = Authenticate(input);
    AZTABLES_RETURN_IF_ERROR(store_failure);
    if (!access.ok()) return access.status();
    call.access = std::move(*access);
    return {};
  }

  Status FindPolicy(std::string_view account, std::string_view table, std::string_view id,
                    const Cancel& cancel, std::optional<StoredPolicy>& found) {
    return store_.Read(cancel, [&](StoreConnection& connection) -> Status {
      const auto row = TableRows(&connection, account).Find(table);
      if (!row.ok()) return row.status();
      if (!*row || (*row)->policies.empty()) return {};
      const auto policies = ReadPolicies((*row)->policies);
      if (!policies.ok()) return policies.status();
      for (const StoredPolicy& policy : *policies) {
        if (policy.id == id) found = policy;
      }
      return {};
    });
  }

  Status Read(const Cancel& cancel, Pending& one) {
    return store_.Read(cancel, [&](StoreConnection& connection) -> Status {
      auto response = one.route.read(one.call, connection, cancel);
      if (!response.ok()) return response.status();
      Finish(one, std::move(*response));
      return {};
    });
  }

  Status Write(const std::vector<std::unique_ptr<Pending>>& pending, const Cancel& cancel) {
    if (pending.empty()) return {};
    std::vector<StoreWrite*> writes;
    for (const auto& one : pending) {
      Pending& it = *one;
      it.write.creates = it.route.creates;
      it.write.run = [&it](StoreTransaction& transaction) {
        Status done = it.route.write(it.call, transaction, it.response);
        // A batch names its failed operation itself, but not a failure of the store.
        it.failed =
            IsStoreFailure(done) || (!done.ok() && it.response.status == 0) ? done : Status();
        return done;
      };
      writes.push_back(&it.write);
    }
    Status status = store_.Write(writes, cancel);
    const bool cancelled = !status.ok() && !cancel.Check().ok();
    for (const auto& one : pending) {
      if (one->write.state != StoreWrite::State::kDone) {
        if (!cancelled) Fail(*one, status);
      } else if (!one->write.failure.ok()) {
        Fail(*one, one->write.failure);
      } else if (!one->failed.ok()) {
        Fail(*one, one->failed);
      } else {
        Finish(*one, std::move(one->response));
      }
    }
    return cancelled ? status : Status();
  }

  ServiceOptions options_;
  ServesAccount serves_;
  Store store_;
};

TableService::TableService(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TableService::~TableService() = default;

Result<std::unique_ptr<TableService>> TableService::Open(ServiceOptions options) {
  // OpenSSL does not repeat a failed initialization, so it runs before memory may be short.
  if (!options.accounts.empty() && HmacSha256("", "").empty()) {
    return Status::Error("signatures cannot be checked here: HMAC-SHA256 fails");
  }
  auto impl = std::make_unique<Impl>(std::move(options));
  if (const Status status = impl->Check(); !status.ok()) {
    return FailureOfStore(impl->path(), status);
  }
  return std::unique_ptr<TableService>(new TableService(std::move(impl)));
}

std::optional<Response> TableService::RefuseHead(const Request& head, const Peer& peer,
                                                 const Cancel& cancel) {
  return impl_->RefuseHead(head, peer, cancel);
}

Response TableService::Handle(const Request& request, const Peer& peer, const Cancel& cancel) {
  Job job;
  job.request = &request;
  Job* const jobs[] = {&job};
  const Status status = impl_->HandleAll(jobs, peer, cancel);
  if (job.response) return std::move(*job.response);
  return impl_->Unserved(request, status);
}

Status TableService::HandleAll(std::span<Job* const> jobs, const Cancel& cancel) {
  return impl_->HandleAll(jobs, Peer(), cancel);
}

}  // namespace aztables
