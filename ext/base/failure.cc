// Sentence: see failure.h.
#include "base/failure.h"

namespace aztables {

std::string Sentence(const Failure& failure) {
  std::string text;
  if (!failure.where.empty()) text += failure.where + ": ";
  if (!failure.operation.empty()) {
    text += failure.operation;
    if (!failure.table.empty()) text += " table " + failure.table;
    text += " (connection '" + failure.connection + "') failed: ";
  }
  text += failure.cause + failure.advice;
  if (failure.has_response) {
    text += " [" + std::to_string(failure.http_status);
    if (!failure.code.empty()) text += " " + failure.code;
    if (!failure.request_id.empty()) text += ", request id " + failure.request_id;
    text += "]";
  }
  return text + failure.notes;
}

}  // namespace aztables
