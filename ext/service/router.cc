// The router: the handler and the required permission of each call. See service_call.h.
#include "service/handlers/handlers.h"
#include "service/storage_error.h"

namespace aztables {
namespace {

using Resource = Address::Resource;

Route Reads(Operation operation, ReadHandler handler) {
  return {.operation = operation, .read = handler};
}

Route Writes(Operation operation, WriteHandler handler) {
  return {.operation = operation, .write = std::move(handler)};
}

Status NotAllowed(const std::string& method) {
  for (const std::string_view known :
       {"GET", "POST", "PUT", "MERGE", "PATCH", "DELETE", "HEAD", "OPTIONS"}) {
    if (method == known) return ToStatus(errors::kMethodNotAllowed);
  }
  return ToStatus(errors::kUnsupportedHttpVerb);
}

Result<Route> ServiceRoute(const ServiceCall& call) {
  const std::string_view comp = call.options.Get("comp");
  if (call.options.Get("restype") != "service" || (comp != "properties" && comp != "stats")) {
    return comp.empty() ? ToStatus(errors::kNotImplemented)
                        : ToStatus(errors::kInvalidQueryParameterValue);
  }
  if (comp == "stats") {
    if (call.method != "GET") return NotAllowed(call.method);
    // Only the secondary knows the state of replication.
    if (!call.address.secondary) return ToStatus(errors::kInvalidQueryParameterValue);
    return Reads(operations::kGetStats, GetStats);
  }
  if (call.method == "GET") return Reads(operations::kGetProperties, GetProperties);
  if (call.method != "PUT") return NotAllowed(call.method);
  Route route = Writes(operations::kSetProperties, SetProperties);
  route.creates = true;
  return route;
}

Result<Route> TablesRoute(const ServiceCall& call) {
  if (call.method == "GET") return Reads(operations::kListTables, ListTables);
  if (call.method != "POST") return NotAllowed(call.method);
  AZTABLES_RETURN_IF_ERROR(CheckCreateTable(call));
  Route route = Writes(operations::kCreateTable, CreateTable);
  route.creates = true;
  return route;
}

Result<Route> AclRoute(const ServiceCall& call) {
  if (call.options.Get("comp") != "acl" || call.address.resource != Resource::kEntities) {
    return ToStatus(errors::kInvalidQueryParameterValue);
  }
  if (call.method == "GET") return Reads(operations::kTableAcl, GetAcl);
  if (call.method == "PUT") return Writes(operations::kTableAcl, SetAcl);
  return NotAllowed(call.method);
}

Result<Route> EntityRoute(const ServiceCall& call) {
  const bool conditional = call.request->headers.Find("If-Match") != nullptr;
  if (call.method == "GET") return Reads(operations::kQuery, GetEntity);
  if (call.method == "PUT" || call.method == "MERGE" || call.method == "PATCH") {
    return Writes(conditional ? operations::kUpdate : operations::kUpsert, WriteEntity);
  }
  if (call.method == "DELETE") return Writes(operations::kDelete, WriteEntity);
  return NotAllowed(call.method);
}

}  // namespace

Result<Route> FindRoute(const ServiceCall& call) {
  if (call.address.resource == Resource::kService) return ServiceRoute(call);
  if (call.options.Find("comp") != nullptr) return AclRoute(call);
  switch (call.address.resource) {
    case Resource::kTables:
      return TablesRoute(call);
    case Resource::kTable:
      if (call.method == "GET") return Reads(operations::kGetTable, GetTable);
      if (call.method == "DELETE") return Writes(operations::kDeleteTable, DeleteTable);
      return NotAllowed(call.method);
    case Resource::kEntities:
      if (call.method == "GET") return Reads(operations::kQuery, QueryEntities);
      if (call.method == "POST") return Writes(operations::kInsert, WriteEntity);
      return NotAllowed(call.method);
    case Resource::kEntity:
      return EntityRoute(call);
    default:
      if (call.method == "POST") return RouteOfBatch(call);
      return NotAllowed(call.method);
  }
}

}  // namespace aztables
