// A script of a table with one entity, which queries do not return, and reads of entities.
//
// Thread rule: free functions; any thread.
#pragma once

#include <string>
#include <utility>

#include "support/scripted_transport.h"
#include "table/service_client.h"

namespace aztables::support {

constexpr char kNoEntities[] = R"({"value":[]})";
constexpr char kOneEntity[] = R"({"PartitionKey":"p","RowKey":"r"})";

inline ScriptedReply OneEntityReply(const Request& request) {
  const bool query = request.path.ends_with("()");
  return {MakeResponse(200, query ? kNoEntities : kOneEntity)};
}

inline EntityQuery PointOf(std::string partition_key, std::string row_key) {
  EntityQuery query;
  query.table = "Movies";
  query.kind = "point";
  query.point.emplace(std::move(partition_key), std::move(row_key));
  return query;
}

}  // namespace aztables::support
