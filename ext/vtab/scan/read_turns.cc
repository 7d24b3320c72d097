// ReadTurns: see read_turns.h.
#include "vtab/scan/read_turns.h"

#include <string>

namespace aztables {

Status ReadTurns::Begin(const RemoteTable& remote, bool writes, std::string_view who) {
  if (++count_ == 1) sent_through_ = remote.sent_through;
  if (!writes || remote.sent_through == sent_through_) return {};
  return Status::Error(
      std::string(who) +
      ": the statement would meet rows that it has sent itself (bulk=on); give its "
      "SELECT an ORDER BY +PartitionKey, so that it reads before it writes, or say bulk=off");
}

}  // namespace aztables
