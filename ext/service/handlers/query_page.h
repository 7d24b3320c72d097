// QueryPage: one page of a query: options, matching entities, and the next page's first key.
// Source: Microsoft, "Query Entities", "Query timeout and pagination". A page ends after $top
// entities (at most 1000) or 5 s. Here it also ends at 4 MiB, which bounds the response.
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
#include "service/handlers/page_rules.h"
#include "service/query_options.h"
#include "service/store/entity_rows.h"
#include "service/store/table_rows.h"

namespace aztables {

// $top, or 1000 if it is absent. $top=0 requests no entity and no continuation token.
Result<size_t> ReadTop(const QueryOptions& options);
// $filter; nothing if it is absent or blank.
Result<std::optional<FilterNode>> ReadFilter(const QueryOptions& options);
// $select; nothing if it is absent or "*". An empty list: $select= without names.
Result<std::optional<std::vector<std::string>>> ReadSelect(const QueryOptions& options);

struct PageQuery {
  size_t top = 0;
  std::optional<FilterNode> filter;
  std::optional<std::vector<std::string>> select;
  std::optional<KeyPoint> begin;  // the position in a continuation token
  std::string stamp;              // the token's stamp: StampOf() its table
};
Result<PageQuery> ReadPageQuery(const QueryOptions& options);

// Distinguishes a table's tokens from those of a deleted table with its name: a mark that no key
// contains and 16 hex digits, after the last key. Empty for the first table of a name, as recorded.
std::string StampOf(const TableRow& table);

// Continuation tokens in the service's form: 1!<length of the base64>!<base64, "=" as "-">.
// Recorded traffic: an entity token contains the key of the next page's first entity. A table token
// contains the table's name in lower case, U+0001 and 16 hex digits.
std::string EncodeToken(std::string_view text);
// Nothing if `token` does not have this form.
std::optional<std::string> DecodeToken(std::string_view token);

// The keys (UTF-8) of the next page's first entity; nothing: this is the last page. There is no
// RowKey if the token names a partition (PageRules).
using NextEntity = std::optional<std::pair<std::string, std::optional<std::string>>>;
// Appends the entities of the page to `body`: {...},{...}. `access` may restrict the page to a key
// range. `form` has the names of `query.select`.
Result<NextEntity> ReadPage(EntityRows& rows, PageQuery query, const Access& access,
                            const EntityForm& form, const PageRules& rules, const Cancel& cancel,
                            std::string& body);

}  // namespace aztables
