// Handlers for batches: see handlers.h. A changeset is read and checked completely before its first
// operation runs.
#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "base/crypto.h"
#include "base/encoding.h"
#include "model/limits.h"
#include "odata/batch/batch_exchange.h"
#include "service/handlers/handlers.h"
#include "service/requested_operation.h"
#include "service/storage_error.h"
#include "service/store/table_rows.h"

namespace aztables {
namespace {

FindHeader HeadersOf(const BatchRequest& request) {
  return [&request](std::string_view name) -> std::optional<std::string_view> {
    for (const auto& [key, value] : request.headers) {
      if (EqualsIgnoreCase(key, name)) return value;
    }
    return std::nullopt;
  };
}

// An inner URL: path and query, and the host if the URL is absolute.
struct InnerUrl {
  std::string_view host;
  std::string path;
  std::string query;
};
InnerUrl SplitUrl(std::string_view url) {
  InnerUrl parts;
  if (const size_t scheme = url.find("://"); scheme != std::string_view::npos) {
    url.remove_prefix(scheme + 3);
    const size_t end = std::min(url.find_first_of("/?"), url.size());
    parts.host = url.substr(0, end);
    url.remove_prefix(end);
  }
  const size_t mark = url.find('?');
  parts.path = url.substr(0, mark);
  if (!parts.path.starts_with('/')) parts.path.insert(0, "/");
  if (mark != std::string_view::npos) parts.query = url.substr(mark + 1);
  return parts;
}

// The address of an inner URL, which must be of the batch's account. A relative URL may omit the
// account. A host is accepted, as proxies need it, unless it names another account.
Result<Address> InnerAddress(const ServiceCall& call, const BatchRequest& request,
                             std::string& query) {
  InnerUrl url = SplitUrl(request.url);
  query = std::move(url.query);
  const std::string& base = call.address.base;
  if (base.empty() || !url.path.starts_with(base + "/")) {
    if (*call.serves && NamesOtherAccount(url.host, *call.serves, call.address.account)) {
      return ToStatus(errors::kInvalidUri);
    }
    url.path.insert(0, base);
  }
  const std::string account = base.empty() ? "" : base.substr(1);
  const ServesAccount serves = [&account](std::string_view name) { return name == account; };
  auto address = ParseAddress(url.path, "", base.empty() ? ServesAccount() : serves);
  if (!address.ok()) return address.status();
  address->account = call.address.account;
  return address;
}

struct BatchFailure {
  Status error;
  size_t index = 0;
};

struct BatchOperation {
  RequestedOperation operation;
  std::string content_id;
  Metadata metadata = Metadata::kMinimal;
};

struct ReadChangeset {
  size_t requests = 0;
  std::vector<BatchOperation> operations;
  BatchFailure failure;  // why reading stopped
};

// Checks rules across the operations of a changeset; `rows` are the keys so far.
Status CheckTogether(const RequestedOperation& first, const RequestedOperation& operation,
                     std::set<std::string>& rows) {
  if (!EqualsIgnoreCase(operation.table, first.table) ||
      operation.partition_key != first.partition_key) {
    return ToStatus(errors::kDifferentPartitions);
  }
  if (!rows.insert(operation.row_key).second) return ToStatus(errors::kInvalidDuplicateRow);
  return {};
}

Status ReadOne(const ServiceCall& call, const BatchRequest& request, EntityReader& reader,
               ReadChangeset& changeset) {
  std::string query;
  const auto address = InnerAddress(call, request, query);
  if (!address.ok()) return address.status();
  const FindHeader header = HeadersOf(request);
  std::string_view method = request.method;
  if (const auto other = header("X-HTTP-Method"); other && method == "POST") method = *other;
  // An error response needs these parts, too.
  BatchOperation& one = changeset.operations.emplace_back();
  one.content_id = header("Content-ID").value_or("");
  const auto metadata = ReadMetadata(header("Accept").value_or(""));
  if (metadata.ok()) one.metadata = *metadata;
  one.operation.preference = ReadPreference(header("Prefer").value_or(""));
  auto operation = ReadOperation(method, *address, header, request.body, reader);
  if (!operation.ok()) return operation.status();
  one.operation = std::move(*operation);
  return CheckOperation(call.access, one.operation);
}

// Reads all operations and checks the rules for the changeset.
ReadChangeset ReadAll(const ServiceCall& call, const BatchContent& content) {
  ReadChangeset changeset;
  EntityReader reader;
  std::set<std::string> rows;
  auto& [error, index] = changeset.failure;
  changeset.requests = content.requests.size();
  changeset.operations.reserve(std::min(changeset.requests, kMaxEgtOperations));
  for (index = 0; index < changeset.requests; ++index) {
    error = ReadOne(call, content.requests[index], reader, changeset);
    if (error.ok()) {
      error = CheckTogether(changeset.operations.front().operation,
                            changeset.operations.back().operation, rows);
    }
    if (error.ok() && index + 1 == kMaxEgtOperations && changeset.requests > kMaxEgtOperations) {
      error = ToStatus(errors::kTooManyOperations);
    }
    if (!error.ok()) break;
  }
  return changeset;
}

// The error for an entity has no operation number if the changeset has one operation only.
bool IsNumbered(const Status& error, size_t operations) {
  if (operations > 1) return true;
  const Failure& detail = error.failure();
  return detail.code == errors::kTableNotFound.code ||
         (detail.http_status != 404 && detail.http_status != 409 && detail.http_status != 412);
}

OperationResponse FailedOperation(const ServiceCall& call, const ReadChangeset& changeset,
                                  const BatchFailure& failure) {
  OperationResponse response;
  response.status = ErrorStatus(failure.error);
  const BatchOperation* const operation =
      failure.index < changeset.operations.size() ? &changeset.operations[failure.index] : nullptr;
  if (operation && !operation->content_id.empty()) {
    response.headers.emplace_back("Content-ID", operation->content_id);
  }
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  if (!LacksCacheControl(failure.error)) response.headers.emplace_back("Cache-Control", "no-cache");
  const bool no_table = failure.error.failure().code == errors::kTableNotFound.code;
  if (operation && !no_table && !operation->operation.preference.empty()) {
    response.headers.emplace_back("Preference-Applied", operation->operation.preference);
  }
  response.headers.emplace_back("DataServiceVersion", "3.0;");
  response.headers.emplace_back(
      "Content-Type", JsonContentType(operation ? operation->metadata : call.frame.metadata));
  const bool numbered = IsNumbered(failure.error, changeset.requests);
  response.body =
      ErrorJson(call.frame, failure.error, numbered ? static_cast<int>(failure.index) : -1);
  return response;
}

// Runs the operations in order until one fails. Each adds its response.
Status RunAll(const ServiceCall& call, const ReadChangeset& changeset, StoreTransaction& store,
              std::vector<OperationResponse>& responses) {
  const auto table = TableRows(store.connection, call.address.account)
                         .Get(changeset.operations.front().operation.table);
  if (!table.ok()) return table.status();
  EntityRows rows(store.connection, table->id);
  EntityForm form = call.Form();
  responses.reserve(changeset.operations.size());
  for (const auto& [operation, content_id, metadata] : changeset.operations) {
    const auto timestamp = RunOperation(operation, store, rows);
    if (!timestamp.ok()) return timestamp.status();
    form.metadata = metadata;
    form.table = operation.table;
    auto response = RespondTo(operation, *timestamp, form, rows);
    if (!response.ok()) return response.status();
    if (!content_id.empty()) {
      const auto place =
          response->body.empty() ? response->headers.begin() : response->headers.begin() + 2;
      response->headers.emplace(place, "Content-ID", content_id);
    }
    responses.push_back(std::move(*response));
  }
  return {};
}

Response BatchResponse(const ServiceCall& call, const std::vector<OperationResponse>& responses,
                       bool changeset) {
  Response response = MakeResponse(call.frame, 202);
  EncodedBatchResponse encoded =
      EncodeBatchResponse(responses, RandomGuid(), changeset ? RandomGuid() : std::string());
  response.headers.Add("Content-Type", std::move(encoded.content_type));
  response.body = std::move(encoded.body);
  return response;
}

Status WriteChangeset(const ServiceCall& call, const ReadChangeset& changeset,
                      StoreTransaction& store, Response& response) {
  BatchFailure failure = changeset.failure;
  std::vector<OperationResponse> responses;
  if (failure.error.ok() && !changeset.operations.empty()) {
    failure.error = RunAll(call, changeset, store, responses);
    failure.index = responses.size();
  }
  if (!failure.error.ok()) responses = {FailedOperation(call, changeset, failure)};
  response = BatchResponse(call, responses, true);
  return failure.error;
}

Result<BatchContent> Decode(const ServiceCall& call) {
  return DecodeBatchRequest(call.Header("Content-Type"), call.request->body);
}

Result<Response> ReadInner(const ServiceCall& call, StoreConnection& store, const Cancel& cancel) {
  const bool entity = call.address.resource == Address::Resource::kEntity;
  if (!entity && call.address.resource != Address::Resource::kEntities) {
    return ToStatus(errors::kInvalidInput);
  }
  AZTABLES_RETURN_IF_ERROR(CheckAllowed(call.access, operations::kQuery, call.address.table));
  return entity ? GetEntity(call, store, cancel) : QueryEntities(call, store, cancel);
}

// A batch with a GET.
Result<Response> ReadBatch(const ServiceCall& call, StoreConnection& store, const Cancel& cancel) {
  const auto content = Decode(call);
  if (!content.ok()) return content.status();
  const BatchRequest& inner = content->requests.front();
  std::string query;
  auto address = InnerAddress(call, inner, query);
  if (!address.ok()) return address.status();
  ServiceCall one = call;
  one.address = std::move(*address);
  one.options = QueryOptions(query);
  const auto metadata = ReadMetadata(HeadersOf(inner)("Accept").value_or(""));
  if (metadata.ok()) one.frame.metadata = *metadata;
  auto read = ReadInner(one, store, cancel);
  if (!read.ok()) {
    return BatchResponse(call, {FailedOperation(one, {.requests = 2}, {read.status(), 0})}, false);
  }
  OperationResponse response;
  response.status = read->status;
  response.headers = {{"DataServiceVersion", "3.0;"},
                      {"Content-Type", JsonContentType(one.frame.metadata)},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Cache-Control", "no-cache"}};
  for (const char* name :
       {"ETag", "x-ms-continuation-NextPartitionKey", "x-ms-continuation-NextRowKey"}) {
    if (const std::string* value = read->headers.Find(name)) {
      response.headers.emplace_back(name, *value);
    }
  }
  response.body = std::move(read->body);
  return BatchResponse(call, {std::move(response)}, false);
}

}  // namespace

Result<Route> RouteOfBatch(const ServiceCall& call) {
  auto content = Decode(call);
  if (!content.ok()) return content.status();
  Route route{.operation = operations::kQuery, .checked_inside = true, .read = ReadBatch};
  if (!content->changeset) return route;
  struct Changeset {
    BatchContent content;
    ReadChangeset read;
  };
  const auto changeset = std::make_shared<Changeset>(Changeset{std::move(*content), {}});
  route.operation = operations::kUpsert;
  route.read = nullptr;
  route.prepare = [changeset](const ServiceCall& of) {
    changeset->read = ReadAll(of, changeset->content);
  };
  route.write = [changeset](const ServiceCall& of, StoreTransaction& store, Response& response) {
    return WriteChangeset(of, changeset->read, store, response);
  };
  return route;
}

}  // namespace aztables
