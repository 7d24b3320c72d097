// Repeated EGTs: see repeated_batch.h.
#include "service/handlers/repeated_batch.h"

#include <string>
#include <vector>

#include "base/crypto.h"
#include "odata/batch/batch_exchange.h"
#include "service/storage_error.h"
#include "service/store/remembered_writes.h"

namespace aztables {
namespace {

RememberedWrites WritesOf(const ServiceCall& call, StoreTransaction& store) {
  return {store.connection, call.address.account};
}

std::string_view IdOf(const ServiceCall& call) { return call.Header(kClientRequestIdHeader); }

int64_t CountParts(std::string_view body) {
  int64_t count = 0;
  constexpr std::string_view kStatusLine = "HTTP/1.1 ";  // begins with a rare letter
  for (size_t at = body.find(kStatusLine); at != std::string_view::npos;
       at = body.find(kStatusLine, at + 1)) {
    if (body.substr(0, at).ends_with("\r\n")) ++count;
  }
  return count;
}

// The entities may have changed since, so the parts have no ETags.
Response Success(const ServiceCall& call, size_t operations) {
  OperationResponse part;
  part.status = 204;
  part.headers = {{"X-Content-Type-Options", "nosniff"},
                  {"Cache-Control", "no-cache"},
                  {"DataServiceVersion", "1.0;"}};
  const std::vector<OperationResponse> parts(operations, part);
  EncodedBatchResponse encoded = EncodeBatchResponse(parts, RandomGuid(), RandomGuid());
  Response response = MakeResponse(call.frame, 202);
  response.headers.Add("Content-Type", std::move(encoded.content_type));
  response.body = std::move(encoded.body);
  return response;
}

}  // namespace

bool IsRemembered(const ServiceCall& call) {
  return call.address.resource == Address::Resource::kBatch &&
         IdOf(call).starts_with(kWriteIdPrefix);
}

Result<std::string> FingerprintOf(const Request& request) {
  const auto path = Fingerprint(request.path);
  const auto body = Fingerprint(request.body);
  if (!path.ok() || !body.ok()) return ToStatus(errors::kOutOfMemory);
  return *path + *body;
}

Result<std::optional<Response>> RecallBatch(const ServiceCall& call, std::string_view fingerprint,
                                            StoreTransaction& store) {
  auto found = WritesOf(call, store).Find(IdOf(call), fingerprint);
  if (!found.ok()) return found.status();
  if (!*found) return std::optional<Response>();
  if ((*found)->operations > 0) {
    return std::optional(Success(call, static_cast<size_t>((*found)->operations)));
  }
  Response response = MakeResponse(call.frame, 202);
  response.headers.Add("Content-Type", std::move((*found)->content_type));
  response.body = std::move((*found)->body);
  return std::optional(std::move(response));
}

Status RememberBatch(const ServiceCall& call, std::string_view fingerprint, StoreTransaction& store,
                     bool applied, const Response& response) {
  RememberedWrite write;
  if (applied) {
    write.operations = CountParts(response.body);
  } else {
    write.content_type = response.headers.Get("Content-Type");
    write.body = response.body;
  }
  return WritesOf(call, store).Add(IdOf(call), fingerprint, write, call.frame.now_ms);
}

Status AddReach(const ServiceCall& call, StoreTransaction& store, Response& response) {
  const auto reach = WritesOf(call, store).Reach(call.frame.now_ms);
  if (!reach.ok()) return reach.status();
  response.headers.Add(std::string(kRemembersWritesHeader), std::to_string(*reach));
  return {};
}

}  // namespace aztables
