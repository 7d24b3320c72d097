// ReadRules: see read_rules.h.
#include "vtab/scan/read_rules.h"

#include <optional>
#include <vector>

#include "model/schema.h"
#include "vtab/sqlite/sql.h"
#include "vtab/table.h"

namespace aztables {
namespace {

// The smaller of two limits; whether `limit` was taken.
template <typename T>
bool TakeSmaller(std::optional<T>& smallest, const std::optional<T>& limit) {
  if (!limit || (smallest && *smallest <= *limit)) return false;
  smallest = limit;
  return true;
}

}  // namespace

std::string OverrideLine(std::string_view table, std::string_view option) {
  return "INSERT INTO " + std::string(table) + "(_command) VALUES('" + std::string(option) + "');";
}

std::string LimitOverride(const ReadRules& rules, const Status& exceeded) {
  const std::string limit(exceeded.detail().limit);
  if (limit.empty()) return {};
  const std::string& table = limit == "max_requests"   ? rules.requests_of
                             : limit == "max_entities" ? rules.entities_of
                                                       : rules.time_of;
  return "another limit for this database connection: " + OverrideLine(table, limit + "=none");
}

void ReadRules::Tighten(const TableOptions& options, const std::string& table) {
  if (options.scan > scan) {
    scan = options.scan;
    scan_of = table;
  }
  if (TakeSmaller(limits.max_requests, options.limits.max_requests)) requests_of = table;
  if (TakeSmaller(limits.max_entities, options.limits.max_entities)) entities_of = table;
  if (TakeSmaller(limits.max_time, options.limits.max_time)) time_of = table;
}

Status ScanGuard::MayAsk(ScanRule rule, Spending& spending, std::string_view who,
                         std::string_view remedy, void (*warn)(const std::string& message)) {
  const bool first = requests_++ == 0;
  if (rule == ScanRule::kAllow || (first && rule == ScanRule::kWarn)) return {};
  const std::string what = std::string(who) + ": no condition on PartitionKey limits this read, ";
  if (rule == ScanRule::kDeny) {
    if (first && spending.scan_requests++ < kFirstRequests) return {};
    const std::string why =
        first ? "and scan=deny allows a statement " + std::to_string(kFirstRequests) +
                    " such reads, of one request each"
              : std::string("and scan=deny allows it one request, which is not enough");
    return {Code::kAuth, what + why + "; add PartitionKey = '...' or a range of it, or a LIMIT; " +
                             std::string(remedy)};
  }
  if (!warned_) warn(what + "so the whole table is read (scan=warn)");
  warned_ = true;
  return {};
}

Status ConnectAllTables(Session& session) {
  const auto databases = DatabaseNames(session.db());
  if (!databases.ok()) return databases.status();
  std::vector<std::string> tables;
  for (const std::string& database : *databases) {
    const std::string schema = QuoteIdentifier(database);
    const Status listed =
        RunSql(session.db(),
               "SELECT name FROM " + schema +
                   ".sqlite_schema WHERE type = 'table' AND rootpage = 0 AND "
                   "instr(lower(sql), 'aztables') > 0",
               {}, [&](sqlite3_stmt* row) {
                 tables.push_back(schema + "." + QuoteIdentifier(ColumnText(row, 0)));
               });
    if (!listed.ok()) {
      return listed.WithMessage("the rules of the virtual tables in " + schema +
                                " cannot be read: " + std::string(listed.message()));
    }
  }
  // Preparing a statement that names a virtual table connects it. A table that SQLite cannot
  // connect cannot be read either, and has no rules.
  for (const std::string& table : tables) {
    static_cast<void>(RunSql(session.db(), "EXPLAIN SELECT 1 FROM " + table));
  }
  return {};
}

ReadRules RulesOver(Session& session, const Connection& connection, const std::string& table) {
  ReadRules rules;
  const auto remote = session.Remote(connection, table);
  for (const Table* other : session.tables()) {
    const auto its_connection = session.Find(other->options.connection);
    if (!its_connection.ok()) continue;
    if (session.Remote(**its_connection, other->options.table) == remote) {
      rules.Tighten(other->options, other->SqlName());
    }
  }
  return rules;
}

}  // namespace aztables
