// RequestedOperation: reads, checks and runs one write of an entity, alone or in a batch.
//
// Errors: storage errors.
// Thread rule: that of the connection.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "odata/batch/batch_exchange.h"
#include "odata/entity_reader.h"
#include "service/address.h"
#include "service/auth/access.h"
#include "service/store/entity_rows.h"

namespace aztables {

struct RequestedOperation {
  enum class Verb : uint8_t { kInsert, kReplace, kMerge, kDelete };
  Verb verb = Verb::kInsert;
  std::string table;
  std::string partition_key;
  std::string row_key;
  std::string record;  // its properties: see EntityInput
  EntityRows::Condition if_match;
  std::string preference;  // of an insert: see ReadPreference()
};

using FindHeader = std::function<std::optional<std::string_view>(std::string_view name)>;
Result<RequestedOperation> ReadOperation(std::string_view method, const Address& address,
                                         const FindHeader& header, std::string_view body,
                                         EntityReader& reader);

// OK if `access` permits the operation.
Status CheckOperation(const Access& access, const RequestedOperation& operation);

// `table` is operation.table's row. Returns the Timestamp (0 for a delete).
Result<Ticks> RunOperation(const RequestedOperation& operation, StoreTransaction& store,
                           EntityRows& rows);

// The response to a completed operation, with headers in a batch's order. `form` is for the echo of
// an insert.
Result<OperationResponse> RespondTo(const RequestedOperation& operation, Ticks timestamp,
                                    const EntityForm& form, EntityRows& rows);

}  // namespace aztables
