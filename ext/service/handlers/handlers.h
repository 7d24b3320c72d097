// The handlers, one per operation of the Table service, grouped by their source files.
// Errors: storage errors. service_call.h has the common types.
// Thread rule: that of the connection.
#pragma once

#include "service/service_call.h"

namespace aztables {

// table_handlers.cc. Source: Microsoft, "Query Tables", "Create Table", "Delete Table"
Result<Response> ListTables(const ServiceCall& call, StoreConnection& store, const Cancel& cancel);
Result<Response> GetTable(const ServiceCall& call, StoreConnection& store, const Cancel& cancel);
Status CreateTable(const ServiceCall& call, StoreTransaction& store, Response& response);
// OK if the table name in the body is valid. Called before a store is created for the table.
Status CheckCreateTable(const ServiceCall& call);
Status DeleteTable(const ServiceCall& call, StoreTransaction& store, Response& response);

// entity_handlers.cc. Source: Microsoft, "Query Entities", "Query timeout and pagination"
Result<Response> QueryEntities(const ServiceCall& call, StoreConnection& store,
                               const Cancel& cancel);
Result<Response> GetEntity(const ServiceCall& call, StoreConnection& store, const Cancel& cancel);
// Insert, update, merge, upserts, delete.
Status WriteEntity(const ServiceCall& call, StoreTransaction& store, Response& response);

// batch_handlers.cc. Source: Microsoft, "Performing entity group transactions"
// A batch has a changeset, or a GET; any other content is an error. The request outlives the route.
Result<Route> RouteOfBatch(const ServiceCall& call);

// xml_handlers.cc. Source: Microsoft, "Set Table ACL", "Set Table Service Properties", "Get Table
// Service Stats"
Result<Response> GetAcl(const ServiceCall& call, StoreConnection& store, const Cancel& cancel);
Status SetAcl(const ServiceCall& call, StoreTransaction& store, Response& response);
Result<Response> GetProperties(const ServiceCall& call, StoreConnection& store,
                               const Cancel& cancel);
Status SetProperties(const ServiceCall& call, StoreTransaction& store, Response& response);
Result<Response> GetStats(const ServiceCall& call, StoreConnection& store, const Cancel& cancel);

}  // namespace aztables
