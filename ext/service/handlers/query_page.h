// QueryPage: one page of a query: its options, the entities that match, and where the next begins.
// Source: Microsoft, "Query Entities", "Query timeout and pagination": a page ends after $top (at
// most 1000) entities or after 5 s; here also at 4 MiB, so that no response is out of bounds.
//
// Errors: storage errors.
// Thread rule: that of the connection.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "odata/filter_tree.h"
#include "service/auth/access.h"
#include "service/handlers/query_options.h"
#include "service/store/entity_rows.h"
#include "service/store/table_rows.h"

namespace aztables {

// $top, or 1000 where it is absent. 0 asks for nothing, not even a continuation token.
Result<size_t> ReadTop(const QueryOptions& options);
// $filter; nothing where it is absent or blank.
Result<std::optional<FilterNode>> ReadFilter(const QueryOptions& options);
// $select; nothing where it is absent or "*". An empty list: $select= without names.
Result<std::optional<std::vector<std::string>>> ReadSelect(const QueryOptions& options);

struct PageQuery {
  size_t top = 0;
  std::optional<FilterNode> filter;
  std::optional<std::vector<std::string>> select;
  std::optional<KeyPoint> begin;  // the place that a continuation token names
  std::string stamp;              // that of the token: StampOf() the table that it is for
};
Result<PageQuery> ReadPageQuery(const QueryOptions& options);

// What tells the tokens of a table from those of a deleted one of its name: behind the RowKey, a
// mark that no key has and 16 hex digits. Empty for the first table of a name, whose tokens are
// keys alone, as recorded.
std::string StampOf(const TableRow& table);

struct EntityPageBody {
  std::string entities;  // {...},{...}
  // The keys (UTF-8) at which the next page begins; nothing: this was the last one.
  std::optional<std::pair<std::string, std::string>> next;
};
// `access` may narrow what is seen to a key range.
Result<EntityPageBody> ReadPage(EntityRows& rows, const PageQuery& query, const Access& access,
                                const EntityForm& form, const Cancel& cancel);

}  // namespace aztables
