// RequestTarget: what a request works on, as far as a simulation needs it: the operation's kind,
// the keys, and the number of entities.
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"
#include "service/address.h"
#include "service/response.h"
#include "service/store/key_ranges.h"

namespace aztables {

struct RequestTarget {
  bool is_read = true;
  bool is_egt = false;  // a batch with a changeset
  bool is_query = false;
  std::string account;
  std::string table;           // in lower case; empty: no entities of a table
  std::vector<KeyRange> keys;  // that the request may touch; empty if not known
  // The PartitionKey in stored form: of an entity, of an EGT, or with which a query begins.
  std::optional<std::string> partition;
  int64_t entities = 1;  // that it writes
  ResponseFrame frame;   // of its responses
};

// A request that the service would refuse has a target without table. `serves` as in
// service_call.h.
RequestTarget ReadTarget(const Request& request, const ServesAccount& serves, int64_t now_ms);

// The number of entities in a body of a query.
int64_t EntitiesIn(std::string_view page);

}  // namespace aztables
