// ReadTurns: how often a cursor has read, and what its statement has sent meanwhile.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string_view>

#include "vtab/session/session.h"

namespace aztables {

// The reads of one cursor, for bulk=on: a statement must not read what it sends while it runs.
class ReadTurns {
 public:
  // A read of `remote` begins. An error if a writing statement would read what it has sent since
  // its first read.
  Status Begin(const RemoteTable& remote, bool writes, std::string_view who);
  bool again() const { return count_ > 1; }

 private:
  int count_ = 0;
  int64_t sent_through_ = 0;
};

}  // namespace aztables
