// ServiceCall: one request as the handlers see it: what it names, who sent it, what it asks.
//
// Thread rule: a value; one thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/status.h"
#include "service/address.h"
#include "service/auth/access.h"
#include "service/handlers/entity_json.h"
#include "service/handlers/query_options.h"
#include "service/response.h"
#include "service/store/store.h"
#include "service/table_service.h"

namespace aztables {

struct ServiceCall {
  const Request* request = nullptr;
  const ServesAccount* serves = nullptr;  // as it was read with
  std::string method;                     // X-HTTP-Method's, where it was sent
  ResponseFrame frame;
  Address address;
  QueryOptions options;
  Access access;

  std::string_view Header(std::string_view name) const { return request->headers.Get(name); }
  // "http://127.0.0.1:10002/account": what stands in front of every resource.
  std::string BaseUrl() const { return request->origin + address.base; }
  EntityForm Form() const;
};

// Reads all of `call` but access, from its `request`; `serves` outlives it. On error as much of
// `frame` is there as its response needs. `now_ms` is the time of day.
Status ReadCall(const ServesAccount& serves, int64_t now_ms, ServiceCall& call);

// The level of metadata that Accept (or "application/json;odata=..." in $format) asks for.
Result<Metadata> ReadMetadata(std::string_view accept);
// "return-no-content" or "return-content", or nothing.
std::string ReadPreference(std::string_view prefer);

// A handler that reads, and one that writes: an error undoes what the latter did. It may fill in
// the response that says so itself.
using ReadHandler = Result<Response> (*)(const ServiceCall&, StoreConnection&, const Cancel&);
using WriteHandler = std::function<Status(const ServiceCall&, StoreTransaction&, Response&)>;

// What serves a call; exactly one of the two.
struct Route {
  Operation operation = Operation::kQuery;
  bool checked_inside = false;  // the handler checks access itself, operation by operation
  ReadHandler read = nullptr;
  WriteHandler write = nullptr;
  bool creates = false;  // creates the store where there is none
};
Result<Route> FindRoute(const ServiceCall& call);

}  // namespace aztables
