// Targets of requests: see request_target.h.
#include "service/simulation/request_target.h"

#include <algorithm>

#include "base/encoding.h"
#include "odata/batch/batch_exchange.h"
#include "service/handlers/entity_input.h"
#include "service/handlers/query_page.h"
#include "service/service_call.h"
#include "service/store/stored_key.h"

namespace aztables {
namespace {

using Resource = Address::Resource;

void SetPartition(std::string_view partition_key, RequestTarget& target) {
  const std::string pk = StoredKey(partition_key);
  target.keys = {{{pk, ""}, {KeySuccessor(pk), ""}}};
  target.partition = pk;
}

void ReadInsert(std::string_view body, RequestTarget& target) {
  EntityReader reader;
  const auto input = ReadEntityInput(body, reader);
  if (input.ok() && input->partition_key) SetPartition(*input->partition_key, target);
}

void ReadQuery(const QueryOptions& options, RequestTarget& target) {
  target.is_query = true;
  const auto query = ReadPageQuery(options);
  if (!query.ok()) return;
  std::vector<KeyRange> keys = RangesOf(query->filter ? &*query->filter : nullptr);
  if (query->begin) keys = Intersect(keys, {*query->begin, WholeTable().to});
  if (keys.empty()) return;
  const KeyRange& first = keys.front();
  const std::string& pk = first.from.partition_key;
  // Without a lower bound, no partition is known.
  if (!pk.empty() || query->begin || first.to <= KeyPoint{KeySuccessor(pk), ""}) {
    target.partition = pk;
  }
  target.keys = std::move(keys);
}

// The table, keys and size of a batch, from its first operation.
void ReadBatchTarget(const ServiceCall& call, RequestTarget& target) {
  const auto content = DecodeBatchRequest(call.Header("Content-Type"), call.request->body);
  if (!content.ok() || content->requests.empty()) return;
  target.is_egt = content->changeset;
  target.is_read = !content->changeset;
  target.entities = static_cast<int64_t>(content->requests.size());
  const BatchRequest& first = content->requests.front();
  // The last part of the path names the entity; a "/" within a key is percent-encoded.
  std::string_view url = first.url;
  const size_t question = url.find('?');
  const std::string_view path = url.substr(0, question);
  const size_t slash = path.rfind('/');
  const auto address =
      ParseAddress("/" + std::string(path.substr(slash == path.npos ? 0 : slash + 1)), "", nullptr);
  if (!address.ok()) return;
  target.table = ToLowerAscii(address->table);
  if (address->resource == Resource::kEntity) {
    SetPartition(address->partition_key, target);
  } else if (target.is_egt) {
    ReadInsert(first.body, target);
  } else {
    ReadQuery(QueryOptions(question == url.npos ? "" : url.substr(question + 1)), target);
  }
}

}  // namespace

RequestTarget ReadTarget(const Request& request, const ServesAccount& serves, int64_t now_ms) {
  RequestTarget target;
  ServiceCall call;
  call.request = &request;
  const Status status = ReadCall(serves, now_ms, call);
  target.frame = call.frame;
  target.is_read = call.method == "GET" || call.method == "HEAD" || call.method == "OPTIONS";
  if (!status.ok()) return target;
  const Address& address = call.address;
  target.account = address.account;
  if (call.frame.xml) return target;
  switch (address.resource) {
    case Resource::kEntities:
      target.table = ToLowerAscii(address.table);
      target.is_read ? ReadQuery(call.options, target) : ReadInsert(request.body, target);
      break;
    case Resource::kEntity:
      target.table = ToLowerAscii(address.table);
      SetPartition(address.partition_key, target);
      break;
    case Resource::kBatch:
      ReadBatchTarget(call, target);
      break;
    default:
      break;
  }
  return target;
}

int64_t EntitiesIn(std::string_view page) {
  int64_t objects = 0;
  bool quoted = false;
  for (size_t i = 0; i < page.size(); ++i) {
    const char c = page[i];
    if (c == '\\' && quoted) {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == '{' && !quoted) {
      ++objects;
    }
  }
  return std::max<int64_t>(objects - 1, 0);  // without the page itself
}

}  // namespace aztables
