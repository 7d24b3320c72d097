// Handlers whose bodies are XML: access policies, service properties, stats. See handlers.h.
#include "service/handlers/handlers.h"
#include "service/store/table_rows.h"
#include "service/xml/xml_documents.h"

namespace aztables {

Result<Response> GetAcl(const ServiceCall& call, StoreConnection& store, const Cancel&) {
  const auto table = TableRows(&store, call.address.account).Get(call.address.table);
  if (!table.ok()) return table.status();
  return XmlResponse(call.frame, 200,
                     table->policies.empty() ? WritePolicies({}) : table->policies);
}

Status SetAcl(const ServiceCall& call, StoreTransaction& store, Response& response) {
  TableRows tables(store.connection, call.address.account);
  const auto table = tables.Get(call.address.table);
  if (!table.ok()) return table.status();
  // No body means no policies.
  std::vector<StoredPolicy> policies;
  if (!call.request->body.empty()) {
    auto read = ReadPolicies(call.request->body);
    if (!read.ok()) return read.status();
    policies = std::move(*read);
  }
  AZTABLES_RETURN_IF_ERROR(tables.SetPolicies(*table, WritePolicies(policies)));
  response = XmlResponse(call.frame, 204, "");
  return {};
}

Result<Response> GetProperties(const ServiceCall& call, StoreConnection& store, const Cancel&) {
  auto properties = TableRows(&store, call.address.account).ServiceProperties();
  if (!properties.ok()) return properties.status();
  return XmlResponse(call.frame, 200,
                     properties->empty() ? DefaultServiceProperties() : std::move(*properties));
}

Status SetProperties(const ServiceCall& call, StoreTransaction& store, Response& response) {
  TableRows tables(store.connection, call.address.account);
  const auto current = tables.ServiceProperties();
  if (!current.ok()) return current.status();
  const auto updated = UpdateServiceProperties(call.request->body, *current);
  if (!updated.ok()) return updated.status();
  AZTABLES_RETURN_IF_ERROR(tables.SetServiceProperties(*updated));
  response = XmlResponse(call.frame, 202, "");
  return {};
}

Result<Response> GetStats(const ServiceCall& call, StoreConnection&, const Cancel&) {
  return XmlResponse(call.frame, 200, ServiceStats(call.frame.now_ms));
}

}  // namespace aztables
