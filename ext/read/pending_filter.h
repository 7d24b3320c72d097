// PendingFilter: the property filters of a query while the transaction has pending writes. A
// pending write may change a property so that its entity matches a filter that the service's entity
// does not match. The merge with the write needs the service's entity. So each property filter also
// asks for the pending entities among the keys of the query, as far as they fit into a filter.
//
// Thread rule: the thread of the database connection.
#pragma once

#include "base/status.h"
#include "odata/filter.h"
#include "read/key_predicate.h"
#include "write/write_log.h"

namespace aztables {

// The query, with property filters that are true for the pending entities too. `keys` are those of
// the query. If there is no room for the entities, filters are dropped, the last ones first.
Result<EntityQuery> WithPending(EntityQuery query, const KeyPredicate& keys,
                                WriteSnapshot& pending);

}  // namespace aztables
