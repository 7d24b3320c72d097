// TableService: the REST behaviour of the Azure Table service on a store. It has no sockets; it
// gets requests from LocalTransport in process, or from the server over HTTP.
// Source: recorded traffic of the live service, then Microsoft's documents.
//
// Thread rule: any number of threads may call Handle() at once. The calling thread serves the
// request.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "base/secret.h"
#include "base/status.h"
#include "http/message.h"
#include "service/address.h"
#include "service/handlers/page_rules.h"

namespace aztables {

class Store;
struct RequestTarget;
struct Route;
struct ServiceCall;

struct ServiceOptions {
  std::string store;  // a path, or ":memory:"
  // Whether the service creates the store at its start. Otherwise Create Table creates it; until
  // then there are no tables.
  bool create = false;
  // The accounts with their keys (base64 decoded). Without accounts requests are not authenticated,
  // addresses name no account, and all requests are for the emulators' account.
  std::map<std::string, std::vector<Secret>, std::less<>> accounts;
  bool tokens = false;  // tokens of Microsoft Entra are accepted, unsigned ones too: for tests
  const Clock* clock = &Clock::System();  // outlives the service
  PageRules pages;                        // those of a simulation
};

// The sender of a request.
struct Peer {
  std::string address;  // of the client, without the port; empty: not known
  bool https = false;
  std::function<bool()> has_gone;  // whether the client has closed the connection; may be null
};

class TableService {
 public:
  // Opens the store if it exists. Fails if the file is not usable.
  static Result<std::unique_ptr<TableService>> Open(ServiceOptions options);
  ~TableService();
  TableService(const TableService&) = delete;
  TableService& operator=(const TableService&) = delete;

  // The error response if the head of a request suffices to refuse it: by its address, announced
  // size or signature, which covers no body. Handle() repeats these checks.
  std::optional<Response> RefuseHead(const Request& head, const Peer& peer, const Cancel& cancel);

  // The response to `request`. `cancel` ends a wait for another writer with 503 ServerBusy.
  Response Handle(const Request& request, const Peer& peer, const Cancel& cancel);

  // Serves several requests. Writes among them share one commit to the disk, each in its own
  // savepoint. After an error, which only `cancel` causes, the requests that were not served have
  // no response.
  struct Job {
    const Request* request = nullptr;
    std::unique_ptr<Response> response;  // null until served
    // The store's failure (full, read-only, damaged, busy), with its path. OK if the response is
    // the table service's, even a storage error.
    Status store_failure;
    bool done() const { return response || !store_failure.ok(); }
  };
  Status HandleAll(std::span<Job* const> jobs, const Peer& peer, const Cancel& cancel);

  // For a simulation: which accounts are served, and the stored PartitionKey with which the range
  // of target.partition begins ("": the first range, or the store fails).
  const ServesAccount& serves() const { return serves_; }
  std::string RangeStart(const RequestTarget& target) const;

 private:
  struct Pending;  // a write with its job and state
  explicit TableService(ServiceOptions options);
  Status ReadHead(ServiceCall& call);
  Result<Route> Begin(const Peer& peer, const Cancel& cancel, ServiceCall& call);
  Status FindAccess(const Peer& peer, const Cancel& cancel, ServiceCall& call);
  Status Read(const Cancel& cancel, const ServiceCall& call, const Route& route, Job& job);
  Status Write(const std::vector<std::unique_ptr<Pending>>& pending, const Cancel& cancel);
  void Fail(Job& job, const ServiceCall& call, const Status& error) const;

  const ServiceOptions options_;
  ServesAccount serves_;  // null without accounts
  const std::unique_ptr<Store> store_;
  GuidSequence ids_;  // of responses
};

}  // namespace aztables
