// ScanGuard: keeps users from reading a whole table by accident. A read without a usable constraint
// on PartitionKey may send one request, so previews and small tables work. The table's option
// `scan` decides about a second one. A cursor that is filtered again (the inner side of a join) is
// the same read. A statement that opens many cursors (a correlated subquery) may send
// kFirstRequests of these first requests.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>
#include <string_view>

#include "http/budget.h"
#include "schema/options.h"

namespace aztables {

class ScanGuard {
 public:
  // The most first requests of such reads that one statement may send.
  static constexpr int64_t kFirstRequests = 10;

  // Called before each request of a read without a usable key constraint. kAuth if the request is
  // refused. A warning, once for each read, goes to `warn`. `who` begins the message ("table
  // movies"), `remedy` ends it.
  Status MayAsk(ScanRule rule, Spending& spending, std::string_view who, std::string_view remedy,
                void (*warn)(const std::string& message));

 private:
  int64_t requests_ = 0;
  bool warned_ = false;
};

}  // namespace aztables
