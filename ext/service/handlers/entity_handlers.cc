// Handlers for writes of single entities: see handlers.h.
#include "service/handlers/handlers.h"
#include "service/requested_operation.h"
#include "service/store/table_rows.h"

namespace aztables {

Status WriteEntity(const ServiceCall& call, StoreTransaction& store, Response& response) {
  OperationSource source;
  source.method = call.method;
  source.address = &call.address;
  source.header = [&call](std::string_view name) -> std::optional<std::string_view> {
    const std::string* const value = call.request->headers.Find(name);
    return value == nullptr ? std::nullopt : std::optional<std::string_view>(*value);
  };
  source.body = call.request->body;
  EntityReader reader;
  const auto operation = ReadOperation(source, reader);
  if (!operation.ok()) return operation.status();
  AZTABLES_RETURN_IF_ERROR(CheckOperation(call.access, *operation));
  const auto table = TableRows(store.connection, call.address.account).Get(operation->table);
  if (!table.ok()) return table.status();
  EntityRows rows(store.connection, table->id);
  const auto timestamp = RunOperation(*operation, store, rows);
  if (!timestamp.ok()) return timestamp.status();
  auto result = RespondTo(*operation, *timestamp, call.Form(), rows);
  if (!result.ok()) return result.status();
  response = MakeResponse(call.frame, result->status);
  for (const auto& [name, value] : result->headers) {
    // A response outside of a batch has no DataServiceVersion, as recorded.
    if (name != "DataServiceVersion") response.headers.Set(name, value);
  }
  response.body = std::move(result->body);
  return {};
}

}  // namespace aztables
