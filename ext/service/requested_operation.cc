// Operations on entities: see requested_operation.h.
#include "service/requested_operation.h"

#include "base/encoding.h"
#include "service/handlers/entity_input.h"
#include "service/service_call.h"
#include "service/storage_error.h"

namespace aztables {
namespace {

using Verb = RequestedOperation::Verb;

// OK for "*" or one weak ETag, W/"...". The condition compares it with the entity's, which begins
// with a capital W.
Status CheckEtag(std::string_view etag) {
  if (etag == "*") return {};
  constexpr std::string_view kBegin = "W/\"";
  if (etag.size() > kBegin.size() && EqualsIgnoreCase(etag.substr(0, kBegin.size()), kBegin) &&
      etag.find('"', kBegin.size()) == etag.size() - 1) {
    return {};
  }
  return ToStatus(errors::kInvalidInput,
                  "One of the request inputs is not valid. If-Match is neither * nor an ETag.");
}

Result<Verb> VerbOf(std::string_view method, Address::Resource resource) {
  if (resource == Address::Resource::kEntities && method == "POST") return Verb::kInsert;
  if (resource == Address::Resource::kEntity) {
    if (method == "PUT") return Verb::kReplace;
    if (method == "MERGE" || method == "PATCH") return Verb::kMerge;
    if (method == "DELETE") return Verb::kDelete;
  }
  return ToStatus(errors::kInvalidInput);
}

// Takes the keys of an insert from its body. Other writes have them in the address, and the body
// may repeat them.
Status TakeKeys(EntityInput& input, RequestedOperation& operation) {
  if (operation.verb == Verb::kInsert) {
    if (!input.partition_key || !input.row_key) return ToStatus(errors::kPropertiesNeedValue);
    operation.partition_key = std::move(*input.partition_key);
    operation.row_key = std::move(*input.row_key);
    return {};
  }
  if ((input.partition_key && *input.partition_key != operation.partition_key) ||
      (input.row_key && *input.row_key != operation.row_key)) {
    return ToStatus(errors::kInvalidInput,
                    "One of the request inputs is not valid. The keys in the body are not those of "
                    "the address.");
  }
  return {};
}

}  // namespace

Result<RequestedOperation> ReadOperation(std::string_view method, const Address& address,
                                         const FindHeader& header, std::string_view body,
                                         EntityReader& reader) {
  RequestedOperation operation;
  const auto verb = VerbOf(method, address.resource);
  if (!verb.ok()) return verb.status();
  operation.verb = *verb;
  operation.table = address.table;
  operation.partition_key = address.partition_key;
  operation.row_key = address.row_key;
  if (operation.verb == Verb::kInsert) {
    operation.preference = ReadPreference(header("Prefer").value_or(""));
  } else {
    AZTABLES_RETURN_IF_ERROR(CheckStoredKey(operation.partition_key));
    AZTABLES_RETURN_IF_ERROR(CheckStoredKey(operation.row_key));
    if (const auto etag = header("If-Match")) {
      AZTABLES_RETURN_IF_ERROR(CheckEtag(*etag));
      operation.if_match = *etag;
    }
  }
  if (operation.verb == Verb::kDelete) {
    if (!operation.if_match) return ToStatus(errors::kMissingRequiredHeader);
    return operation;
  }
  auto input = ReadEntityInput(body, reader);
  if (!input.ok()) return input.status();
  AZTABLES_RETURN_IF_ERROR(TakeKeys(*input, operation));
  operation.record = std::move(input->record);
  return operation;
}

Status CheckOperation(const Access& access, const RequestedOperation& operation) {
  Operation needed = operation.if_match ? operations::kUpdate : operations::kUpsert;
  if (operation.verb == Verb::kInsert) needed = operations::kInsert;
  if (operation.verb == Verb::kDelete) needed = operations::kDelete;
  AZTABLES_RETURN_IF_ERROR(CheckAllowed(access, needed, operation.table));
  if (!InKeyRange(access, operation.partition_key, operation.row_key)) {
    return ToStatus(errors::kAuthorizationFailure);
  }
  return {};
}

Result<Ticks> RunOperation(const RequestedOperation& operation, StoreTransaction& store,
                           EntityRows& rows) {
  const std::string& pk = operation.partition_key;
  const std::string& rk = operation.row_key;
  switch (operation.verb) {
    case Verb::kInsert:
      return rows.Insert(store, pk, rk, operation.record);
    case Verb::kReplace:
      return rows.Replace(store, pk, rk, operation.record, operation.if_match);
    case Verb::kMerge:
      return rows.Merge(store, pk, rk, operation.record, operation.if_match);
    case Verb::kDelete:
      break;
  }
  AZTABLES_RETURN_IF_ERROR(rows.Delete(pk, rk, operation.if_match));
  return Ticks{0};
}

Result<OperationResponse> RespondTo(const RequestedOperation& operation, Ticks timestamp,
                                    const EntityForm& form, EntityRows& rows) {
  const bool insert = operation.verb == Verb::kInsert;
  const bool echo = insert && operation.preference != "return-no-content";
  OperationResponse response;
  response.status = echo ? 201 : 204;
  auto& headers = response.headers;
  headers.reserve(8);  // all of them
  if (echo) {
    headers.emplace_back("DataServiceVersion", "3.0;");
    headers.emplace_back("Content-Type", JsonContentType(form.metadata));
    StoredEntity entity;
    std::string record;
    const auto found = rows.Read(operation.partition_key, operation.row_key, entity, record);
    if (!found.ok()) return found.status();
    AppendEntity(response.body, form, entity, true);
  }
  headers.emplace_back("X-Content-Type-Options", "nosniff");
  headers.emplace_back("Cache-Control", "no-cache");
  if (!operation.preference.empty()) {
    headers.emplace_back("Preference-Applied", operation.preference);
  }
  if (!echo) headers.emplace_back("DataServiceVersion", insert ? "3.0;" : "1.0;");
  if (insert) {
    const std::string url =
        form.base_url + "/" + EntityPath(form.table, operation.partition_key, operation.row_key);
    headers.emplace_back("Location", url);
    if (!echo) headers.emplace_back("DataServiceId", url);
  }
  if (operation.verb != Verb::kDelete) headers.emplace_back("ETag", EtagOf(timestamp));
  return response;
}

}  // namespace aztables
