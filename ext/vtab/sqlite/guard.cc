// Guard: see guard.h.
#include "vtab/sqlite/guard.h"

namespace aztables {

int ResultCode(const Status& status) {
  switch (status.code()) {
    case Code::kOk:
      return SQLITE_OK;
    case Code::kAlreadyExists:
      return SQLITE_CONSTRAINT_PRIMARYKEY;
    case Code::kPrecondition:
      return SQLITE_CONSTRAINT_VTAB;
    case Code::kNotNull:
      return SQLITE_CONSTRAINT_NOTNULL;
    case Code::kMismatch:
      return SQLITE_MISMATCH;
    case Code::kAuth:
      return SQLITE_AUTH;
    case Code::kBusy:
      return SQLITE_BUSY;
    case Code::kReadOnly:
      return SQLITE_READONLY;
    case Code::kInterrupt:
      return SQLITE_INTERRUPT;
    case Code::kAborted:
      return SQLITE_ABORT_ROLLBACK;
    case Code::kTooBig:
    case Code::kBudget:
      return SQLITE_TOOBIG;
    case Code::kFull:
      return SQLITE_FULL;
    case Code::kNoMemory:
      return SQLITE_NOMEM;
    case Code::kNotFound:
    case Code::kError:
      break;
  }
  return SQLITE_ERROR;
}

void SetMessage(char** message, const Status& status) {
  sqlite3_free(*message);
  const std::string_view text = status.message();
  *message = sqlite3_mprintf("%.*s", static_cast<int>(text.size()), text.data());
}

void ResultError(sqlite3_context* context, const Status& status) {
  const std::string_view text = status.message();
  sqlite3_result_error(context, text.data(), static_cast<int>(text.size()));
  sqlite3_result_error_code(context, ResultCode(status));
}

}  // namespace aztables
