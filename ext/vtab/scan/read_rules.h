// ReadRules: the limits of a read, and the lines that lift them. The options `scan`,
// `max_requests`, `max_entities` and `max_seconds` of one or several virtual tables set these
// limits.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "http/budget.h"
#include "schema/options.h"

namespace aztables {

// The rules of one read, and the virtual tables that set them, by their names in SQL.
struct ReadRules {
  std::string who;  // how messages begin: "table movies"
  ScanRule scan = ScanRule::kAllow;
  std::string scan_of;
  Limits limits;
  std::string requests_of;  // the table of each limit
  std::string entities_of;
  std::string time_of;

  // Adds the rules of the virtual table `table`. The stricter rule applies.
  void Tighten(const TableOptions& options, const std::string& table);
};

// INSERT INTO movies(_command) VALUES('scan=allow');
std::string OverrideLine(std::string_view table, std::string_view option);

// The same for the limit that a kBudget error names: "another limit for this database connection:
// ...".
std::string LimitOverride(const ReadRules& rules, const Status& exceeded);

// Keeps users from reading a whole table by accident. A read without a usable constraint on
// PartitionKey may send one request, so previews and small tables work. The table's option `scan`
// decides about a second one. A cursor that is filtered again (the inner side of a join) is the
// same read. A statement that opens many cursors (a correlated subquery) may send kFirstRequests of
// these first requests.
class ScanGuard {
 public:
  // The most first requests of such reads that one statement may send.
  static constexpr int64_t kFirstRequests = 10;

  // Called before each request of a read without a usable key constraint. kAuth if the request is
  // refused. A warning, once for each read, goes to `warn`.
  Status MayAsk(const ReadRules& rules, Spending& spending,
                void (*warn)(const std::string& message));

 private:
  int64_t requests_ = 0;
  bool warned_ = false;
};

}  // namespace aztables
