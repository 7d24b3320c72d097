/* Checks the extension in a plain C11 program without a network: include/aztables.h compiles as C;
** loading on two connections, and twice on one; the version; a host older than SQLite 3.38; leaks
** of SQLite's memory; each allocation that can fail; a host's callback that ends its thread.
**
** usage: c_host_test PATH-OF-aztables.so
*/
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aztables.h"

#define SQLITE_CORE 1 /* the program calls SQLite directly and needs only the struct */
#include <sqlite3ext.h>

typedef int InitFunction(sqlite3 *, char **, const struct sqlite3_api_routines *);
InitFunction sqlite3_aztables_init; /* does not compile if aztables.h differs */

static const char *module_path;
static int failures = 0;

#define CHECK(holds) Check((holds), #holds, __LINE__)
static int Check(int holds, const char *what, int line) {
  if (!holds) {
    ++failures;
    fprintf(stderr, "c_host_test.c:%d: does not hold: %s\n", line, what);
  }
  return holds;
}

/* Opens a database in memory, without the extension. */
static int Open(sqlite3 **db) {
  const int rc = sqlite3_open(":memory:", db);
  if (rc != SQLITE_OK) return rc;
  return sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL);
}

static int Load(sqlite3 *db) {
  char *message = NULL;
  const int rc = sqlite3_load_extension(db, module_path, NULL, &message);
  sqlite3_free(message);
  return rc;
}

/* Runs one statement to its end; *text receives the first column of the first row. */
static int Query(sqlite3 *db, const char *sql, char *text, size_t size) {
  sqlite3_stmt *statement = NULL;
  int rc = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
  if (rc != SQLITE_OK) return rc;
  if (size > 0) text[0] = '\0';
  int rows = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    const unsigned char *value = sqlite3_column_text(statement, 0);
    if (rows++ == 0 && size > 0 && value != NULL) snprintf(text, size, "%s", (const char *)value);
  }
  return sqlite3_finalize(statement);
}

static int Run(sqlite3 *db, const char *sql) { return Query(db, sql, NULL, 0); }

static int Says(sqlite3 *db, const char *sql, const char *expected) {
  char text[200];
  return Query(db, sql, text, sizeof text) == SQLITE_OK && strcmp(text, expected) == 0;
}

static void TwoConnections(void) {
  sqlite3 *first = NULL;
  sqlite3 *second = NULL;
  CHECK(Open(&first) == SQLITE_OK && Open(&second) == SQLITE_OK);
  CHECK(Load(first) == SQLITE_OK);
  CHECK(Load(second) == SQLITE_OK);
  CHECK(Says(first, "SELECT aztables_version()", AZTABLES_VERSION));
  CHECK(Says(second, "SELECT aztables_version()", AZTABLES_VERSION));
  CHECK(Run(first, "SELECT aztables_connect('here', 'UseDevelopmentStorage=true')") == SQLITE_OK);
  CHECK(Says(first, "SELECT count(*) FROM aztables_connections", "1"));
  CHECK(Says(second, "SELECT count(*) FROM aztables_connections", "0"));
  CHECK(Load(first) == SQLITE_OK); /* again on the same connection */
  CHECK(Says(first, "SELECT aztables_version()", AZTABLES_VERSION));
  CHECK(sqlite3_close(first) == SQLITE_OK);
  CHECK(Says(second, "SELECT count(*) > 10 FROM aztables_help", "1"));
  CHECK(sqlite3_close(second) == SQLITE_OK);
}

static const sqlite3_api_routines *routines; /* those that SQLite passes to extensions */

static int Capture(sqlite3 *db, char **message, const struct sqlite3_api_routines *api) {
  (void)db;
  (void)message;
  routines = api;
  return SQLITE_OK;
}

static int OldVersionNumber(void) { return 3037000; }
static const char *OldVersion(void) { return "3.37.0"; }

/* The routines of SQLite 3.37: the first routine of 3.38 lies after the end of readable memory. */
static sqlite3_api_routines *MakeOldRoutines(void *page, size_t page_size) {
  const size_t size = offsetof(sqlite3_api_routines, error_offset);
  sqlite3_api_routines current = *routines;
  current.libversion_number = OldVersionNumber;
  current.libversion = OldVersion;
  void *const old = (char *)page + page_size - size;
  memcpy(old, &current, size);
  CHECK(mprotect((char *)page + page_size, page_size, PROT_NONE) == 0);
  return (sqlite3_api_routines *)old;
}

static void OldHost(void) {
  sqlite3 *earlier = NULL;
  sqlite3 *db = NULL;
  CHECK(Open(&earlier) == SQLITE_OK && Load(earlier) == SQLITE_OK);
  CHECK(sqlite3_auto_extension((void (*)(void))Capture) == SQLITE_OK);
  CHECK(Open(&db) == SQLITE_OK);
  sqlite3_reset_auto_extension();
  void *const library = dlopen(module_path, RTLD_NOW);
  if (!CHECK(library != NULL && routines != NULL)) return;
  InitFunction *init = NULL;
  *(void **)&init = dlsym(library, "sqlite3_aztables_init");
  if (!CHECK(init != NULL)) return;

  const size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
  void *const page =
      mmap(NULL, 2 * page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!CHECK(page != MAP_FAILED)) return;
  const sqlite3_api_routines *const old = MakeOldRoutines(page, page_size);
  char *message = NULL;
  CHECK(init(db, &message, old) == SQLITE_ERROR);
  CHECK(message != NULL &&
        strcmp(message, "aztables needs SQLite 3.38.0 or newer; this host has 3.37.0") == 0);
  sqlite3_free(message);
  CHECK(init(db, NULL, old) == SQLITE_ERROR);
  CHECK(Run(db, "SELECT aztables_version()") ==
        SQLITE_ERROR); /* the extension registered no function */
  munmap(page, 2 * page_size);

  /* After the error, the same library works with the real routines. */
  CHECK(Says(earlier, "SELECT aztables_version()", AZTABLES_VERSION));
  CHECK(sqlite3_close(earlier) == SQLITE_OK);
  CHECK(init(db, NULL, routines) == SQLITE_OK_LOAD_PERMANENTLY);
  CHECK(Says(db, "SELECT aztables_version()", AZTABLES_VERSION));
  CHECK(sqlite3_close(db) == SQLITE_OK);
  dlclose(library);
}

/* Calls everything that needs no network, on one connection. *loaded receives whether it loaded. */
static int UseConnection(sqlite3 *db, int *loaded) {
  static const char *const kStatements[] = {
      "SELECT aztables_version()",
      "SELECT aztables_connect('here', 'AccountName=a;AccountKey=b2Rk')",
      "CREATE VIRTUAL TABLE movies USING aztables(table=Movies, connection=here,"
      " ReleaseYear INT32, Rating DOUBLE, Tag STRING PROPERTY 'Label', timeout='5s')",
      "EXPLAIN QUERY PLAN SELECT * FROM movies WHERE PartitionKey = 'Action'"
      " AND RowKey BETWEEN 'A' AND 'F' AND ReleaseYear > 2000 LIMIT 3",
      "SELECT count(usage || summary || example) FROM aztables_help",
      "SELECT endpoint, credential FROM aztables_connections",
      "BEGIN",
      "INSERT INTO movies(PartitionKey, RowKey, Rating) VALUES('Action', 'Jaws', 4.5)",
      "SAVEPOINT s",
      "INSERT INTO movies(PartitionKey, RowKey, _entity) VALUES('Action', 'Up', '{\"A\":\"b\"}')",
      "ROLLBACK TO s",
      "ROLLBACK",
      "SELECT count(url) FROM aztables_requests",
      "DROP TABLE movies"};
  int rc = Load(db);
  *loaded = rc == SQLITE_OK;
  for (size_t i = 0; rc == SQLITE_OK && i < sizeof kStatements / sizeof *kStatements; ++i) {
    rc = Run(db, kStatements[i]);
  }
  return rc;
}

static sqlite3_mem_methods real_memory;
static long countdown = 0; /* the number of the allocation that fails, from now on; 0: none */
static int keep_failing = 0;
static int failed_allocations = 0;

static int FailsNow(void) {
  if (countdown == 0) return 0;
  if (countdown > 1) {
    --countdown;
    return 0;
  }
  if (!keep_failing) countdown = 0;
  ++failed_allocations;
  return 1;
}
static void *Malloc(int size) { return FailsNow() ? NULL : real_memory.xMalloc(size); }
static void *Realloc(void *old, int size) {
  return FailsNow() ? NULL : real_memory.xRealloc(old, size);
}

static void OutOfMemory(int keep) {
  const sqlite3_int64 before = sqlite3_memory_used();
  long rounds = 0;
  int rc = SQLITE_OK;
  do {
    sqlite3 *db = NULL;
    int loaded = 0;
    failed_allocations = 0;
    keep_failing = keep;
    countdown = ++rounds;
    rc = Open(&db);
    const int opened = rc == SQLITE_OK;
    if (opened) rc = UseConnection(db, &loaded);
    countdown = 0;
    if (opened && !loaded)
      CHECK(UseConnection(db, &loaded) == SQLITE_OK); /* the connection still works */
    CHECK(sqlite3_close(db) == SQLITE_OK);
    if (!CHECK(sqlite3_memory_used() == before)) {
      fprintf(stderr, "  where allocation %ld failed, with result %d\n", rounds, rc);
    }
    if (keep && failed_allocations > 0) CHECK(rc != SQLITE_OK);
  } while (failed_allocations > 0 && failures == 0);
  CHECK(rc == SQLITE_OK);
  CHECK(rounds > 100); /* enough allocations failed */
  printf("%ld allocations failed in turn%s\n", rounds - 1, keep ? ", with all after them" : "");
}

/* A statement whose planning runs out of memory reports it. */
static void OutOfMemoryInPlan(void) {
  sqlite3 *db = NULL;
  if (!CHECK(Open(&db) == SQLITE_OK && Load(db) == SQLITE_OK)) return;
  CHECK(Run(db,
            "CREATE VIRTUAL TABLE t USING aztables(table=Movies, connection='LocalStore=:memory:', "
            "A INT32)") == SQLITE_OK);
  long rounds = 0;
  int rc = SQLITE_OK;
  do {
    failed_allocations = 0;
    keep_failing = 0;
    countdown = ++rounds;
    rc = Run(
        db,
        "EXPLAIN QUERY PLAN SELECT A FROM t WHERE PartitionKey = 'a' AND RowKey > 'b' AND A > 1");
    countdown = 0;
    if (!CHECK(rc == SQLITE_OK || rc == SQLITE_NOMEM)) {
      fprintf(stderr, "  where allocation %ld of a plan failed, with result %d\n", rounds, rc);
    }
  } while (failed_allocations > 0 && failures == 0);
  CHECK(rounds > 10);
  CHECK(sqlite3_close(db) == SQLITE_OK);
}

/* A host's callback may end its thread, as Python does with daemon threads at exit. */
static sqlite3 *left_behind; /* its statement never ends */
static const char *const outer = "SELECT count(*) FROM t WHERE A IS NOT NULL";
static int ended = 0;
static int went_on = 0;

static int EndThread(unsigned event, void *unused, void *statement, void *text) {
  (void)event;
  (void)unused;
  (void)statement;
  if (strcmp((const char *)text, outer) == 0) return 0;
  ended = 1;
  pthread_exit(NULL); /* in a callback of the extension, which runs its own statement */
}

static void *RunAndEnd(void *unused) {
  if (CHECK(Open(&left_behind) == SQLITE_OK && Load(left_behind) == SQLITE_OK) &&
      CHECK(Run(left_behind, "SELECT aztables_connect('here', 'LocalStore=:memory:')") ==
            SQLITE_OK) &&
      CHECK(Run(left_behind,
                "CREATE VIRTUAL TABLE t USING aztables(connection=here, "
                "table=Some, create=missing, A INT32)") == SQLITE_OK)) {
    sqlite3_trace_v2(left_behind, SQLITE_TRACE_STMT, EndThread, NULL);
    Run(left_behind, outer);
  }
  went_on = 1;
  return unused;
}

/* In a separate process, because the memory of the ended thread is never freed. */
static void EndedThread(void) {
  const pid_t child = fork();
  if (child == 0) {
    pthread_t thread;
    const int joined =
        pthread_create(&thread, NULL, RunAndEnd, NULL) == 0 && pthread_join(thread, NULL) == 0;
    _exit(joined && ended && !went_on ? 0 : 1);
  }
  int status = 0;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  module_path = argv[1];
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_memory);
  sqlite3_mem_methods failing = real_memory;
  failing.xMalloc = Malloc;
  failing.xRealloc = Realloc;
  CHECK(sqlite3_config(SQLITE_CONFIG_MALLOC, &failing) == SQLITE_OK);
  CHECK(sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0) == SQLITE_OK);
  CHECK(sqlite3_initialize() == SQLITE_OK);
  CHECK(sqlite3_libversion_number() >= AZTABLES_MIN_SQLITE_VERSION_NUMBER);

  const sqlite3_int64 before = sqlite3_memory_used();
  TwoConnections();
  OldHost();
  sqlite3 *db = NULL;
  int loaded = 0;
  CHECK(Open(&db) == SQLITE_OK && UseConnection(db, &loaded) == SQLITE_OK);
  CHECK(sqlite3_memory_used() > before);
  CHECK(sqlite3_close(db) == SQLITE_OK);
  CHECK(sqlite3_memory_used() == before);
  OutOfMemory(0);
  OutOfMemory(1);
  OutOfMemoryInPlan();
  sqlite3_shutdown();
  EndedThread();
  return failures == 0 ? 0 : 1;
}
