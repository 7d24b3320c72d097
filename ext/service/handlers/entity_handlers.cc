// Handlers for queries, point reads and writes of single entities: see handlers.h.
#include "odata/json_writer.h"
#include "service/handlers/handlers.h"
#include "service/handlers/query_page.h"
#include "service/requested_operation.h"
#include "service/storage_error.h"
#include "service/store/table_rows.h"

namespace aztables {
namespace {

// Of most entities that are read alone. A larger block of memory costs malloc() more.
constexpr size_t kUsualBody = 900;

}  // namespace

Result<Response> QueryEntities(const ServiceCall& call, StoreConnection& store,
                               const Cancel& cancel) {
  auto query = ReadPageQuery(call.options);
  if (!query.ok()) return query.status();
  const auto table = TableRows(&store, call.address.account).Get(call.address.table);
  if (!table.ok()) return table.status();
  // The token is for a deleted table with the same name.
  if (query->begin && query->stamp != StampOf(*table)) return ToStatus(errors::kTableNotFound);
  EntityForm form = call.Form();
  form.select = std::move(query->select);
  std::string body;
  body += '{';
  if (form.metadata != Metadata::kNone) {
    body += "\"odata.metadata\":";
    AppendAsciiJsonString(body, MetadataUrl(form, false));
    body += ',';
  }
  body += "\"value\":[";
  EntityRows rows(&store, table->id);
  const auto next = ReadPage(rows, std::move(*query), call.access, form, *call.pages, cancel, body);
  if (!next.ok()) return next.status();
  body += "]}";
  Response response = JsonResponse(call.frame, 200, std::move(body));
  if (*next) {
    const auto& [partition, row] = **next;
    const std::string stamp = StampOf(*table);
    response.headers.Add("x-ms-continuation-NextPartitionKey",
                         EncodeToken(row ? partition : partition + stamp));
    if (row) response.headers.Add("x-ms-continuation-NextRowKey", EncodeToken(*row + stamp));
  }
  return response;
}

Result<Response> GetEntity(const ServiceCall& call, StoreConnection& store, const Cancel&) {
  auto select = ReadSelect(call.options);
  if (!select.ok()) return select.status();
  const Address& address = call.address;
  const auto table = TableRows(&store, address.account).Get(address.table);
  if (!table.ok()) return table.status();
  StoredEntity entity;
  std::string record;
  const auto found =
      EntityRows(&store, table->id).Read(address.partition_key, address.row_key, entity, record);
  if (!found.ok()) return found.status();
  // Entities outside of a SAS's key range count as absent.
  if (!*found || !InKeyRange(call.access, address.partition_key, address.row_key)) {
    return ToStatus(errors::kResourceNotFound);
  }
  EntityForm form = call.Form();
  form.select = std::move(*select);
  std::string body;
  body.reserve(kUsualBody);
  AppendEntity(body, form, entity, true);
  Response response = JsonResponse(call.frame, 200, std::move(body));
  response.headers.Add("ETag", EtagOf(entity.timestamp));
  return response;
}

Status WriteEntity(const ServiceCall& call, StoreTransaction& store, Response& response) {
  const auto header = [&call](std::string_view name) -> std::optional<std::string_view> {
    const std::string* const value = call.request->headers.Find(name);
    return value == nullptr ? std::nullopt : std::optional<std::string_view>(*value);
  };
  EntityReader reader;
  const auto operation =
      ReadOperation(call.method, call.address, header, call.request->body, reader);
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
