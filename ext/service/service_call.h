// ServiceCall: a request as the handlers see it: its address, sender and options.
//
// Thread rule: a value; one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/status.h"
#include "service/address.h"
#include "service/auth/access.h"
#include "service/handlers/entity_json.h"
#include "service/handlers/page_rules.h"
#include "service/query_options.h"
#include "service/response.h"
#include "service/store/store.h"

namespace aztables {

struct ServiceCall {
  const Request* request = nullptr;
  const ServesAccount* serves = nullptr;  // the argument of ReadCall()
  std::string method;                     // or the value of X-HTTP-Method
  ResponseFrame frame;
  Address address;
  QueryOptions options;
  Access access;
  const PageRules* pages = nullptr;  // set by the service
  // A write that has not begun so long after its arrival is refused. Source: Microsoft, "Setting
  // timeouts for Table service operations".
  std::optional<int64_t> timeout_ms;

  std::string_view Header(std::string_view name) const { return request->headers.Get(name); }
  // "http://127.0.0.1:10002/account", the prefix of every resource's URL.
  std::string BaseUrl() const { return request->origin + address.base; }
  EntityForm Form() const;
};

// Reads `call`, except for access and the id of its response, from its `request`. `serves` outlives
// it. On error, `frame` has the parts that the error response needs. `now_ms` is the time of day.
Status ReadCall(const ServesAccount& serves, int64_t now_ms, ServiceCall& call);

// The level of metadata in Accept, or in $format as "application/json;odata=...".
Result<Metadata> ReadMetadata(std::string_view accept);
// "return-no-content" or "return-content", or nothing.
std::string ReadPreference(std::string_view prefer);

// A handler that reads, and one that writes. An error undoes the write. The writing handler may set
// the error response itself.
using ReadHandler = Result<Response> (*)(const ServiceCall&, StoreConnection&, const Cancel&);
using WriteHandler = std::function<Status(const ServiceCall&, StoreTransaction&, Response&)>;
// What a write needs of its request: runs once before the write, without the store, on any thread.
using Preparation = std::function<void(const ServiceCall&)>;

// The handler of a call; exactly one of the two is set.
struct Route {
  Operation operation = operations::kQuery;
  bool checked_inside = false;  // the handler checks each operation's access
  ReadHandler read = nullptr;
  WriteHandler write = nullptr;
  Preparation prepare = nullptr;  // of `write`; may be null
  bool creates = false;           // creates a missing store
};
Result<Route> FindRoute(const ServiceCall& call);

}  // namespace aztables
