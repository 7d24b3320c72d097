// BulkState: what a transaction has sent to one remote table before COMMIT (bulk=on), and when it
// is to send more. Planning the log costs time in proportion to it. So after each attempt the log
// must grow before the next one.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "write/write_log.h"

namespace aztables {

class BulkState {
 public:
  // Whether the log has reached half of the space for what can be sent. `most`: max_pending
  bool IsHalfFull(const WriteLog& log, size_t most) const {
    const size_t unsendable = std::min({unsendable_, log.bytes(), most});
    return log.bytes() - unsendable >= (most - unsendable) / 2;
  }
  // Whether the log has `enough` entities to send, and twice as many as the last attempt left.
  bool HasEnough(const WriteLog& log, size_t enough) const {
    return log.size() >= std::max(send_at_, enough);
  }

  // An attempt to send begins. Nothing more is sent before COMMIT unless it succeeds.
  void Begin() { failed_ = true; }
  // Entities were changed by what was sent.
  void Sent(const WriteLog& log) { sent_through_ = log.next_sequence(); }
  // The attempt has ended and left these writes. `all`: it was to send everything.
  void End(const WriteLog& log, bool all, bool ok) {
    send_at_ = 2 * log.size();
    if (all) unsendable_ = log.bytes();
    failed_ = !ok;
  }

  bool failed() const { return failed_; }
  // The log's next write when something was sent last; 0: nothing was sent.
  int64_t sent_through() const { return sent_through_; }

 private:
  size_t send_at_ = 0;     // entities
  size_t unsendable_ = 0;  // bytes left after all was sent
  int64_t sent_through_ = 0;
  bool failed_ = false;
};

}  // namespace aztables
