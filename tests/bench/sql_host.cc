// sql_host: runs and measures one SQL statement, without an interpreter.
//
// usage: sql_host MODULE SETUP KEYS MEASURED CHECK REQUESTS
//
//   MODULE    the extension; empty: none
//   SETUP     SQL that runs first; it includes a warm-up
//   KEYS      a query; MEASURED runs once for each of its rows, whose values are bound to it.
//             Empty: MEASURED runs once
//   MEASURED  the measured statement
//   CHECK     a query that runs after it; empty: none
//   REQUESTS  a query that runs last; empty: none
//
// Prints a line "figures SECONDS CPU_SECONDS PEAK_KB ROWS", and each row of MEASURED (without
// KEYS), of CHECK and of REQUESTS as "measured ...", "check ..." and "request ..." with tabs
// between the values. With KEYS, it prints "measured" with the sum of the first column.
#include <sqlite3.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using Row = std::vector<std::string>;

[[noreturn]] void Fail(const std::string& what) {
  std::fprintf(stderr, "sql_host: %s\n", what.c_str());
  std::exit(1);
}

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

// The peak resident memory of this process in KB. ru_maxrss would include the parent's before exec.
long PeakKb() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") {
      long kb = 0;
      status >> kb;
      return kb;
    }
  }
  Fail("/proc/self/status has no VmHWM");
}

class Statement {
 public:
  Statement(sqlite3* db, const char* sql) : db_(db) {
    if (sqlite3_prepare_v2(db, sql, -1, &statement_, nullptr) != SQLITE_OK) FailHere();
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void Bind(const Row& values) {
    sqlite3_reset(statement_);
    for (size_t i = 0; i < values.size(); ++i) {
      sqlite3_bind_text(statement_, static_cast<int>(i) + 1, values[i].data(),
                        static_cast<int>(values[i].size()), SQLITE_STATIC);
    }
  }
  bool Step() {
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) FailHere();
    return code == SQLITE_ROW;
  }
  sqlite3_int64 FirstNumber() { return sqlite3_column_int64(statement_, 0); }
  Row Values() {
    Row row;
    for (int i = 0; i < sqlite3_column_count(statement_); ++i) {
      const unsigned char* text = sqlite3_column_text(statement_, i);
      row.emplace_back(text == nullptr ? "NULL" : reinterpret_cast<const char*>(text));
    }
    return row;
  }

 private:
  [[noreturn]] void FailHere() { Fail(sqlite3_errmsg(db_)); }

  sqlite3* const db_;
  sqlite3_stmt* statement_ = nullptr;
};

void Run(sqlite3* db, const char* sql) {
  char* message = nullptr;
  if (sqlite3_exec(db, sql, nullptr, nullptr, &message) != SQLITE_OK) Fail(message);
}

std::vector<Row> RowsOf(sqlite3* db, const char* sql) {
  std::vector<Row> rows;
  if (*sql == '\0') return rows;
  Statement statement(db, sql);
  while (statement.Step()) rows.push_back(statement.Values());
  return rows;
}

void Print(const char* kind, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    std::fputs(kind, stdout);
    for (const std::string& value : row) std::printf("\t%s", value.c_str());
    std::putchar('\n');
  }
}

struct Measured {
  size_t count = 0;  // rows
  std::vector<Row> rows;
};

Measured Measure(sqlite3* db, const char* sql, const std::vector<Row>& keys) {
  Measured measured;
  if (keys.empty()) {
    measured.rows = RowsOf(db, sql);
    measured.count = measured.rows.size();
    return measured;
  }
  Statement statement(db, sql);
  sqlite3_int64 sum = 0;
  for (const Row& key : keys) {
    statement.Bind(key);
    for (; statement.Step(); ++measured.count) sum += statement.FirstNumber();
  }
  measured.rows = {{std::to_string(sum)}};
  return measured;
}

}  // namespace

int main(int count, char** words) {
  if (count != 7) Fail("usage: sql_host MODULE SETUP KEYS MEASURED CHECK REQUESTS");
  const auto [module, setup, keys_sql, sql, check, requests] =
      std::tie(words[1], words[2], words[3], words[4], words[5], words[6]);
  sqlite3* db = nullptr;
  if (sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI,
                      nullptr) != SQLITE_OK) {
    Fail("there is no memory");
  }
  if (*module != '\0') {
    char* message = nullptr;
    sqlite3_enable_load_extension(db, 1);
    if (sqlite3_load_extension(db, module, nullptr, &message) != SQLITE_OK) Fail(message);
  }
  Run(db, setup);
  const std::vector<Row> keys = RowsOf(db, keys_sql);

  const double cpu = CpuSeconds();
  const auto began = std::chrono::steady_clock::now();
  const Measured measured = Measure(db, sql, keys);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  const double cpu_after = CpuSeconds();
  std::printf("figures\t%.6f\t%.6f\t%ld\t%zu\n", took.count(), cpu_after - cpu, PeakKb(),
              measured.count);
  Print("measured", measured.rows);
  Print("check", RowsOf(db, check));
  Print("request", RowsOf(db, requests));
  sqlite3_close(db);
  return 0;
}
