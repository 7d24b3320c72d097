// Rows that on_error=continue leaves out: see refused_row.h.
#include "vtab/change/refused_row.h"

namespace aztables {
namespace {

// Whether the error concerns only this row.
bool IsOfRow(Code code) {
  switch (code) {
    case Code::kError:
    case Code::kAlreadyExists:
    case Code::kPrecondition:
    case Code::kNotNull:
    case Code::kMismatch:
    case Code::kTooBig:
      return true;
    default:
      return false;
  }
}

bool BreaksConstraint(Code code) {
  return code == Code::kAlreadyExists || code == Code::kPrecondition || code == Code::kNotNull;
}

}  // namespace

bool GoesOnPast(const Table& table, const Status& refusal) {
  if (!table.options.continue_on_error || !IsOfRow(refusal.code())) return false;
  if (table.session->commits().refused() >= CommitHistory::kMostRefused) return false;
  switch (sqlite3_vtab_on_conflict(table.session->db())) {
    case SQLITE_FAIL:
    case SQLITE_ROLLBACK:
      return false;
    case SQLITE_IGNORE:
      return !BreaksConstraint(refusal.code());
    default:
      return true;
  }
}

void RecordRefused(Table& table, EntityVerb verb, const std::optional<EntityKey>& key,
                   const Status& refusal) {
  CommitRecord record;
  record.connection = table.writing_connection->client->endpoint().connection;
  record.table = table.options.table;
  record.has_partition = record.has_entity = key.has_value();
  if (key) {
    record.partition_key = key->partition_key;
    record.row_key = key->row_key;
  }
  record.operation = VerbName(verb);
  record.operations = 1;
  record.outcome = EgtOutcome::kFailed;
  record.message = refusal.message();
  table.session->commits().AddRefused(std::move(record));
}

}  // namespace aztables
