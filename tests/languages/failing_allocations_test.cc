// Fails every allocation of small scenarios in turn: each `operator new` of the module, and each
// allocation of SQLite. Each run is a process of its own. A statement may fail only by
// SQLITE_NOMEM. Afterwards, with memory, the connection must show what a fresh connection shows.
//
// usage: failing_allocations_test PATH-OF-aztables.so CONNECTION [STEP [SCENARIO [FIRST]]]
// CONNECTION: "local", for a new store in each run, or a connection string. STEP: only each STEP-th
// allocation fails. SCENARIO: load, tables, reads or writes; all by default. It prints each kind of
// failure with its first number. All allocations of both services take about 15 minutes.
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <vector>

namespace {

constexpr unsigned kMostSeconds = 60;
constexpr long kMostAllocations = 20'000;  // of a scenario
// A service may still carry out a request that was given up.
constexpr unsigned kMicrosecondsOfService = 20'000;

long left = -1;  // allocations until the one that fails; negative: none fails
long made = 0;   // allocations since Arm()
bool has_failed = false;

// Whether this allocation fails.
bool Fails() {
  ++made;
  if (left < 0 || left-- > 0) return false;
  has_failed = true;
  return true;
}

void Arm(long number) {
  left = number;
  made = 0;
}
void Disarm() { left = -1; }

sqlite3_mem_methods system_memory;

void* SqliteMalloc(int size) { return Fails() ? nullptr : system_memory.xMalloc(size); }
void* SqliteRealloc(void* block, int size) {
  return Fails() ? nullptr : system_memory.xRealloc(block, size);
}

void TakeSqliteMemory() {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_memory);
  sqlite3_mem_methods failing = system_memory;
  failing.xMalloc = SqliteMalloc;
  failing.xRealloc = SqliteRealloc;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &failing);
}

const char* module_path;
std::string connection;

struct Outcome {
  int code = SQLITE_OK;
  std::string message;
  std::string rows;
};

Outcome Run(sqlite3* db, const std::string& sql) {
  Outcome outcome;
  char* message = nullptr;
  const auto add = [](void* rows, int count, char** values, char**) {
    for (int i = 0; i < count; ++i) {
      const long before = left;
      left = -1;  // the host's own memory
      *static_cast<std::string*>(rows) += std::string(values[i] ? values[i] : "NULL") + "|";
      left = before;
    }
    return 0;
  };
  outcome.code = sqlite3_exec(db, sql.c_str(), add, &outcome.rows, &message);
  const long before = left;
  left = -1;
  if (message != nullptr) outcome.message = message;
  left = before;
  sqlite3_free(message);
  return outcome;
}

sqlite3* Open() {
  sqlite3* db = nullptr;
  if (sqlite3_open(":memory:", &db) != SQLITE_OK) _exit(90);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, nullptr);
  return db;
}

int Load(sqlite3* db) { return sqlite3_load_extension(db, module_path, nullptr, nullptr); }

std::string Connect() { return "SELECT aztables_connect('c', '" + connection + "') IS NOT NULL"; }

constexpr char kDeclare[] =
    "CREATE VIRTUAL TABLE t USING aztables(connection=c, table=Allocations, N INT64, S STRING, "
    "At DATETIME, create=missing)";
constexpr char kRows[] =
    "INSERT INTO t(PartitionKey, RowKey, N, S, At) VALUES ('a', '1', 1, 'one', "
    "'2026-11-28T10:00:00.0000000Z'), ('a', '2', 2, 'two with a longer text than a short string', "
    "NULL), ('b', '1', 3, NULL, NULL), ('c', '1', 4, 'four', NULL)";

// Statements without failures, before those of the scenario.
std::vector<std::string> Before(const std::string& scenario) {
  if (scenario == "load") return {};
  // simdjson ends the process if its first use lacks memory.
  if (scenario == "tables") return {"SELECT aztables_type('{}', 'A')", Connect()};
  return {Connect(), kDeclare, "DELETE FROM t", kRows};
}

std::vector<std::string> Statements(const std::string& scenario) {
  if (scenario == "reads") {
    return {
        "SELECT * FROM t ORDER BY 1, 2",
        "SELECT N, S, At, _entity, _etag IS NOT NULL FROM t WHERE PartitionKey = 'a' AND RowKey = "
        "'2'",
        "SELECT RowKey FROM t WHERE PartitionKey = 'a' AND RowKey > '1' AND N = 2",
        "SELECT count(*) FROM t WHERE PartitionKey IN ('a', 'b', 'x')",
        "SELECT PartitionKey, RowKey FROM t ORDER BY PartitionKey DESC, RowKey DESC LIMIT 1",
        "SELECT PartitionKey, count(*) FROM t GROUP BY PartitionKey",
        "SELECT RowKey FROM aztables_query('c.Allocations', 'N ge 2') ORDER BY 1",
        "SELECT name FROM aztables_tables('c') WHERE name = 'Allocations'",
        "SELECT count(*) > 0 FROM aztables_requests",
        "SELECT a.N FROM t a JOIN t b ON a.PartitionKey = b.PartitionKey AND a.RowKey = b.RowKey "
        "WHERE b.N = 3",
        "SELECT name, value FROM aztables_each((SELECT _entity FROM t LIMIT 1)) ORDER BY 1",
        "SELECT property, type FROM aztables_infer('c.Allocations') ORDER BY 1"};
  }
  if (scenario == "writes") {
    return {"UPDATE t SET N = N + 10 WHERE PartitionKey = 'a'",
            "BEGIN",
            "INSERT INTO t(PartitionKey, RowKey, N) VALUES ('d', '1', 5), ('d', '2', 6)",
            "SAVEPOINT one",
            "DELETE FROM t WHERE PartitionKey = 'b'",
            "ROLLBACK TO one",
            "UPDATE t SET RowKey = '9' WHERE RowKey = '2' AND PartitionKey = 'd'",
            "SELECT PartitionKey, RowKey, N FROM t ORDER BY 1, 2",
            "COMMIT",
            "BEGIN",
            "DELETE FROM t",
            "SELECT count(*) FROM aztables_pending",
            "ROLLBACK",
            "DELETE FROM t WHERE RowKey = '1'",
            "SELECT table_name, operations FROM aztables_commits"};
  }
  if (scenario == "tables") {
    return {"SELECT aztables_create_table('c.AllocationsOfTables')",
            "CREATE VIRTUAL TABLE more USING aztables(connection=c, table=AllocationsOfTables, "
            "N INT32, infer=10)",
            "INSERT OR REPLACE INTO more(PartitionKey, RowKey, N) VALUES ('p', 'r', 1)",
            "INSERT INTO more(_command) VALUES ('parallel=4')",
            "SELECT aztables_set('{}', 'A', 5, 'INT64')",
            "SELECT name, credential FROM aztables_connections",
            "DROP TABLE more",
            "SELECT aztables_drop_table('c.AllocationsOfTables')",
            "SELECT aztables_disconnect('c')"};
  }
  return {Connect(), kDeclare, "SELECT aztables_version()"};
}

// The entities, in a fresh connection.
std::string Fresh() {
  sqlite3* db = Open();
  if (Load(db) != SQLITE_OK) return "cannot be loaded";
  Run(db, Connect());
  Run(db, kDeclare);
  Outcome seen = Run(db, "SELECT PartitionKey, RowKey, N, S, At FROM t ORDER BY 1, 2");
  sqlite3_close(db);
  return seen.message + seen.rows;
}

[[noreturn]] void End(const std::string& report) {
  if (write(STDOUT_FILENO, report.data(), report.size()) < 0) _exit(93);
  _exit(report.empty() ? 0 : 1);
}

// One run, in its own process. Prints what is wrong, and exits with 0 if all is well, 1 if not, 2
// if no allocation has failed: the scenario makes fewer.
[[noreturn]] void RunOnce(const std::string& scenario, long number) {
  alarm(kMostSeconds);
  sqlite3* db = Open();
  if (scenario == "load") {
    Arm(number);
    const int code = Load(db);
    Disarm();
    // SQLite reports a failed allocation of its own in the loader as an ordinary error.
    if (code != SQLITE_OK && !has_failed) End("load fails without a failed allocation\n");
    if (code != SQLITE_OK && Load(db) != SQLITE_OK) End("the second load fails\n");
  } else if (Load(db) != SQLITE_OK) {
    End("load fails\n");
  }
  for (const std::string& sql : Before(scenario)) {
    const Outcome outcome = Run(db, sql);
    if (outcome.code != SQLITE_OK) End("before: " + outcome.message + "\n");
  }
  std::string report;
  const std::vector<std::string> statements = Statements(scenario);
  if (scenario != "load") Arm(number);
  for (const std::string& sql : statements) {
    const Outcome outcome = Run(db, sql);
    if (outcome.code == SQLITE_OK) continue;
    Disarm();
    if (outcome.code == SQLITE_NOMEM) break;
    report +=
        "code " + std::to_string(outcome.code) + " (" + outcome.message + ") of: " + sql + "\n";
    break;
  }
  Disarm();
  if (!has_failed) {
    if (!report.empty()) End("without a failed allocation: " + report);
    _exit(2);
  }
  if (sqlite3_get_autocommit(db) == 0) Run(db, "ROLLBACK");
  usleep(kMicrosecondsOfService);
  if (scenario == "reads" || scenario == "writes") {
    const Outcome own = Run(db, "SELECT PartitionKey, RowKey, N, S, At FROM t ORDER BY 1, 2");
    const std::string fresh = Fresh();
    if (own.message + own.rows != fresh) {
      report += "differs afterwards: " + own.message + own.rows + " from " + fresh + "\n";
    }
  }
  if (sqlite3_close(db) != SQLITE_OK) report += "the connection cannot be closed\n";
  End(report);
}

// Runs one process. Returns its report, or how it ended; "none" if no allocation failed.
std::string RunChild(const std::string& scenario, long number) {
  int ends[2];
  if (pipe(ends) != 0) std::exit(94);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    RunOnce(scenario, number);
  }
  close(ends[1]);
  std::string report;
  char bytes[4096];
  for (ssize_t count = 0; (count = read(ends[0], bytes, sizeof bytes)) > 0;) {
    report.append(bytes, static_cast<size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return report + "ended by signal " + std::to_string(WTERMSIG(status)) + "\n";
  const int code = WEXITSTATUS(status);
  if (code == 2) return "none";
  return code == 0 || code == 1 ? report : report + "exit " + std::to_string(code) + "\n";
}

}  // namespace

void* operator new(size_t size) {
  void* const block = Fails() ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void* operator new[](size_t size) { return operator new(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return Fails() ? nullptr : std::malloc(size == 0 ? 1 : size);
}
void* operator new[](size_t size, const std::nothrow_t& tag) noexcept {
  return operator new(size, tag);
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, size_t) noexcept { std::free(block); }
void operator delete[](void* block, size_t) noexcept { std::free(block); }

namespace {

// Prints the kinds of failure. False: there are any, or no run failed an allocation.
bool RunScenario(const std::string& scenario, const std::string& given, long first, long step) {
  char folder[] = "/tmp/aztables-allocations-XXXXXX";
  const bool local = given == "local";
  if (local && mkdtemp(folder) == nullptr) return false;
  std::map<std::string, std::pair<long, long>> kinds;  // report -> times, first number
  long runs = 0;
  for (long number = first; number < kMostAllocations; number += step, ++runs) {
    const std::string store = std::string(folder) + "/" + std::to_string(number) + ".db";
    connection = local ? "LocalStore=" + store : given;
    std::string report = RunChild(scenario, number);
    for (const char* end : {"", "-wal", "-shm"}) unlink((store + end).c_str());
    if (report == "none") break;
    const bool is_wrong = report.starts_with("without");
    for (size_t at = 0; (at = report.find(store, at)) != std::string::npos;) {
      report.replace(at, store.size(), "STORE");
    }
    if (!report.empty()) ++kinds.try_emplace(report, 0, number).first->second.first;
    if (is_wrong) break;
  }
  if (local) rmdir(folder);
  for (const auto& [report, times] : kinds) {
    std::printf("%ld times, first at %ld: %s", times.first, times.second, report.c_str());
  }
  std::printf("%s: %ld runs, %zu kinds of failure\n", scenario.c_str(), runs, kinds.size());
  std::fflush(stdout);
  return kinds.empty() && runs > 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  module_path = arguments[1];
  const long step = count > 3 ? std::max(std::atol(arguments[3]), 1L) : 1;
  const std::string only = count > 4 ? arguments[4] : "";
  const long first = count > 5 ? std::atol(arguments[5]) : 0;
  TakeSqliteMemory();
  bool ok = true;
  for (const char* scenario : {"load", "tables", "reads", "writes"}) {
    if (only.empty() || only == scenario) {
      ok = RunScenario(scenario, arguments[2], first, step) && ok;
    }
  }
  return ok ? 0 : 1;
}
