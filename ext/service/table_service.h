// TableService: the REST behaviour of the Azure Table service over a store: what a request gets as
// its response. It knows nothing of sockets; LocalTransport hands it requests in process, the
// server over HTTP. Source: recorded traffic of the live service, then Microsoft's documents.
//
// Thread rule: Handle() may be called on any number of threads at once; each request is served on
// the thread that calls.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/secret.h"
#include "base/status.h"
#include "http/message.h"

namespace aztables {

struct ServiceOptions {
  std::string store;  // a path, or ":memory:"
  // Whether the store is created as soon as the service starts. Else Create Table creates it, and
  // until then there are no tables.
  bool create = false;
  // The accounts, each with its keys (base64 decoded). Without any, requests are not authenticated,
  // and addresses name no account: whoever can call Handle() owns that of the emulators.
  std::map<std::string, std::vector<Secret>, std::less<>> accounts;
  const Clock* clock = &Clock::System();  // outlives the service
};

// What a server knows of a request beside its bytes.
struct Peer {
  std::string address;  // of the client, without the port; empty: not known
  bool https = false;
};

class TableService {
 public:
  // Opens the store where it exists. An error says what is wrong with the file.
  static Result<std::unique_ptr<TableService>> Open(ServiceOptions options);
  ~TableService();
  TableService(const TableService&) = delete;
  TableService& operator=(const TableService&) = delete;

  // Whether the head of a request, whose body has not been read yet, is enough to refuse it: for
  // what it names, for the size that it announces, or for its signature, which covers no body. The
  // answer then. Handle() asks the same again.
  std::optional<Response> RefuseHead(const Request& head, const Peer& peer, const Cancel& cancel);

  // The response to `request`; `cancel` ends a wait for another writer (503 ServerBusy then).
  Response Handle(const Request& request, const Peer& peer, const Cancel& cancel);

  // Serves several requests; writes among them share one commit to the disk, each in a savepoint of
  // its own. An error (only that of `cancel`) leaves those without a response that were not served.
  struct Job {
    const Request* request = nullptr;
    std::unique_ptr<Response> response;  // null until served
    // Why the store could not serve it (full, read-only, damaged, busy); OK where the response is
    // one of the table service, a storage error included.
    Status store_failure;
  };
  Status HandleAll(std::span<Job* const> jobs, const Cancel& cancel);

 private:
  class Impl;
  explicit TableService(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace aztables
