// The service: see table_service.h. It reads and authenticates requests and passes them to the
// store; the handlers (handlers.h) run the operations.
#include "service/table_service.h"

#include "base/crypto.h"
#include "base/encoding.h"
#include "service/handlers/repeated_batch.h"
#include "service/service_call.h"
#include "service/simulation/request_target.h"
#include "service/storage_error.h"
#include "service/store/entity_rows.h"
#include "service/store/stored_key.h"
#include "service/store/table_rows.h"
#include "service/xml/xml_documents.h"

namespace aztables {
namespace {

constexpr std::string_view kChallenge =
    "Bearer authorization_uri=https://login.microsoftonline.com/"
    "00000000-0000-0000-0000-000000000000/oauth2/authorize resource_id=https://storage.azure.com";

Response Refused(const ServiceCall& call, const Status& error) {
  Response response = ErrorResponse(call.frame, error);
  if (response.status == 401) response.headers.Add("WWW-Authenticate", std::string(kChallenge));
  return response;
}

// Whether the store failed, and not the request.
bool IsStoreFailure(const Status& status) {
  const int http_status = status.failure().http_status;
  return status.code() == Code::kReadOnly || (http_status >= 500 && http_status != 501) ||
         (!status.ok() && http_status == 0);
}

// The same failure with the path of the store in its message.
Status FailureOfStore(const std::string& path, const Status& status) {
  std::string message(status.message());
  constexpr std::string_view kSubject = "The store ";
  if (message.starts_with(kSubject)) message.replace(0, kSubject.size(), "it ");
  if (!message.empty()) message[0] = ToLowerAscii(message[0]);
  if (message.ends_with('.')) message.pop_back();
  return {status.code(), "the store " + path + ": " + message, status.failure()};
}

Result<std::optional<StoredPolicy>> FindPolicy(StoreConnection& connection,
                                               std::string_view account, std::string_view table,
                                               std::string_view id) {
  std::optional<StoredPolicy> found;
  const auto row = TableRows(&connection, account).Find(table);
  if (!row.ok()) return row.status();
  if (!*row || (*row)->policies.empty()) return found;
  const auto policies = ReadPolicies((*row)->policies);
  if (!policies.ok()) return policies.status();
  for (const StoredPolicy& policy : *policies) {
    if (policy.id == id) found = policy;
  }
  return found;
}

}  // namespace

struct TableService::Pending {
  Pending(Job* of, ServiceCall its_call, Route its_route)
      : job(of), call(std::move(its_call)), route(std::move(its_route)) {}

  Job* job;
  ServiceCall call;
  Route route;
  Result<std::string> fingerprint = std::string();  // of an EGT that is remembered
  StoreWrite write;
  Response response;
  Status failed;             // why it has no response
  bool applied = false;      // the write succeeded
  bool is_repeated = false;  // it arrived before

  void Prepare() {
    if (route.prepare) route.prepare(call);
    if (IsRemembered(call)) fingerprint = FingerprintOf(*call.request);
  }
};

TableService::TableService(ServiceOptions options)
    : options_(std::move(options)),
      store_(std::make_unique<Store>(options_.store, options_.clock)) {
  if (options_.accounts.empty()) return;
  serves_ = [this](std::string_view account) {
    return options_.accounts.find(account) != options_.accounts.end();
  };
}

TableService::~TableService() = default;

Result<std::unique_ptr<TableService>> TableService::Open(ServiceOptions options) {
  // OpenSSL does not repeat a failed initialization, so it runs before memory may be short. A
  // failure after this is a lack of memory.
  for (const auto& digest : {HmacSha256("", ""), Fingerprint("")}) {
    if (!digest.ok()) return digest.status();
  }
  const bool create = options.create;
  std::unique_ptr<TableService> service(new TableService(std::move(options)));
  if (const Status status = service->store_->Check(create, Cancel()); !status.ok()) {
    return FailureOfStore(service->options_.store, status);
  }
  return service;
}

std::optional<Response> TableService::RefuseHead(const Request& head, const Peer& peer,
                                                 const Cancel& cancel) {
  ServiceCall call;
  call.request = &head;
  Status status = ReadHead(call);
  if (status.ok()) status = FindAccess(peer, cancel, call);
  return status.ok() ? std::nullopt : std::optional(Refused(call, status));
}

Response TableService::Handle(const Request& request, const Peer& peer, const Cancel& cancel) {
  Job job;
  job.request = &request;
  Job* const jobs[] = {&job};
  const Status status = HandleAll(jobs, peer, cancel);
  if (job.response) return std::move(*job.response);
  // The request was abandoned.
  ServiceCall call;
  call.request = &request;
  static_cast<void>(ReadHead(call));
  return ErrorResponse(call.frame, status);
}

Status TableService::HandleAll(std::span<Job* const> jobs, const Peer& peer, const Cancel& cancel) {
  std::vector<std::unique_ptr<Pending>> pending;
  for (Job* job : jobs) {
    ServiceCall call;
    call.request = job->request;
    auto route = Begin(peer, cancel, call);
    Status status = route.status();
    if (route.ok() && route->write == nullptr) status = Read(cancel, call, *route, *job);
    if (!status.ok()) {
      AZTABLES_RETURN_IF_ERROR(cancel.Check());
      Fail(*job, call, status);
    } else if (route->write != nullptr) {
      pending.push_back(std::make_unique<Pending>(job, std::move(call), std::move(*route)));
    }
  }
  return Write(pending, cancel);
}

// The parts of a call that need no store.
Status TableService::ReadHead(ServiceCall& call) {
  call.frame.request_id = ids_.Next();
  return ReadCall(serves_, options_.clock->NowMs(), call);
}

// Reads and authenticates the request and finds its handler.
Result<Route> TableService::Begin(const Peer& peer, const Cancel& cancel, ServiceCall& call) {
  call.pages = &options_.pages;
  AZTABLES_RETURN_IF_ERROR(ReadHead(call));
  AZTABLES_RETURN_IF_ERROR(FindAccess(peer, cancel, call));
  auto route = FindRoute(call);
  if (!route.ok()) return route;
  if (call.address.secondary && route->write != nullptr) {
    return ToStatus(errors::kInsufficientAccountPermissions);
  }
  if (!route->checked_inside) {
    AZTABLES_RETURN_IF_ERROR(CheckAllowed(call.access, route->operation, call.address.table));
  }
  return route;
}

std::string TableService::RangeStart(const RequestTarget& target) const {
  std::string pk = target.partition.value_or(std::string());
  const Status read = store_->Read(Cancel(), [&](StoreConnection& connection) -> Status {
    const auto table = TableRows(&connection, target.account).Get(target.table);
    if (!table.ok()) return table.status();
    EntityRows rows(&connection, table->id);
    while (!pk.empty() && !options_.pages.BeginsRange(KeyText(pk))) {
      auto before = rows.PartitionBefore(pk);
      if (!before.ok()) return before.status();
      pk = std::move(*before);
    }
    return {};
  });
  return read.ok() ? pk : std::string();
}

Status TableService::FindAccess(const Peer& peer, const Cancel& cancel, ServiceCall& call) {
  if (!serves_) return {};
  AuthenticationInput input;
  input.request = call.request;
  input.query = &call.options;
  input.account = call.address.account;
  input.keys = &options_.accounts;
  input.client_address = peer.address;
  input.https = peer.https;
  input.tokens = options_.tokens;
  input.now_ms = call.frame.now_ms;
  input.policy = [&](std::string_view table, std::string_view id) {
    Result<std::optional<StoredPolicy>> policy = std::optional<StoredPolicy>();
    const Status read = store_->Read(cancel, [&](StoreConnection& connection) {
      policy = FindPolicy(connection, call.address.account, table, id);
      return policy.status();
    });
    return read.ok() ? policy : read;
  };
  auto access = Authenticate(input);
  if (!access.ok()) return access.status();
  call.access = std::move(*access);
  return {};
}

Status TableService::Read(const Cancel& cancel, const ServiceCall& call, const Route& route,
                          Job& job) {
  return store_->Read(cancel, [&](StoreConnection& connection) -> Status {
    auto response = route.read(call, connection, cancel);
    if (!response.ok()) return response.status();
    job.response = std::make_unique<Response>(std::move(*response));
    return {};
  });
}

Status TableService::Write(const std::vector<std::unique_ptr<Pending>>& pending,
                           const Cancel& cancel) {
  if (pending.empty()) return {};
  std::vector<StoreWrite*> writes;
  for (const auto& one : pending) {
    Pending& it = *one;
    it.Prepare();
    it.write.creates = it.route.creates;
    it.write.run = [this, &it](StoreTransaction& transaction) {
      if (IsRemembered(it.call)) {
        if (!it.fingerprint.ok()) return it.failed = it.fingerprint.status();
        auto known = RecallBatch(it.call, *it.fingerprint, transaction);
        if (!known.ok()) return it.failed = known.status();
        it.is_repeated = known->has_value();
        if (it.is_repeated) it.response = std::move(**known);
        if (it.is_repeated) return Status();
      }
      const int64_t age_ms = options_.clock->NowMs() - it.call.frame.now_ms;
      if (it.call.timeout_ms && age_ms > *it.call.timeout_ms) {
        return it.failed = ToStatus(errors::kOperationTimedOut);
      }
      Status done = it.route.write(it.call, transaction, it.response);
      // A batch names its failed operation itself, but not a failure of the store.
      it.failed = IsStoreFailure(done) || (!done.ok() && it.response.status == 0) ? done : Status();
      it.applied = done.ok();
      return done;
    };
    if (IsRemembered(it.call)) {
      it.write.after = [&it](StoreTransaction& transaction) -> Status {
        if (!it.failed.ok()) return {};
        if (!it.is_repeated) {
          AZTABLES_RETURN_IF_ERROR(
              RememberBatch(it.call, *it.fingerprint, transaction, it.applied, it.response));
        }
        return AddReach(it.call, transaction, it.response);
      };
    }
    writes.push_back(&it.write);
  }
  Status status = store_->Write(writes, cancel);
  const bool cancelled = !status.ok() && !cancel.Check().ok();
  for (const auto& one : pending) {
    if (one->write.state != StoreWrite::State::kDone) {
      if (!cancelled) Fail(*one->job, one->call, status);
    } else if (!one->write.failure.ok()) {
      Fail(*one->job, one->call, one->write.failure);
    } else if (!one->failed.ok()) {
      Fail(*one->job, one->call, one->failed);
    } else {
      one->job->response = std::make_unique<Response>(std::move(one->response));
    }
  }
  return cancelled ? status : Status();
}

void TableService::Fail(Job& job, const ServiceCall& call, const Status& error) const {
  if (IsStoreFailure(error)) job.store_failure = FailureOfStore(options_.store, error);
  job.response = std::make_unique<Response>(Refused(call, error));
}

}  // namespace aztables
