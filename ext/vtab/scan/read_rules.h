// ReadRules: the limits of a read, and the lines that lift them. The options `scan`,
// `max_requests`, `max_entities` and `max_seconds` of one or several virtual tables set these
// limits.
//
// Thread rule: values; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
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

}  // namespace aztables
