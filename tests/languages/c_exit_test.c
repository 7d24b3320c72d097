/* Checks that a process may call exit() while other threads run statements: sign and send requests,
** read responses, load the extension. Each exit happens in a separate process of this program.
**
** usage: c_exit_test PATH-OF-aztables.so TIMES, with AZTABLES_CONNECTION_DEMO in the environment
*/
#include <openssl/rand.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *module_path;
static int statements = 0; /* completed in all threads */

static int Run(sqlite3 *db, const char *sql) { return sqlite3_exec(db, sql, NULL, NULL, NULL); }

/* Runs statements in a loop, with a new database connection after every few. */
static void *RunStatements(void *unused) {
  for (;;) {
    sqlite3 *db = NULL;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK) _exit(90);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL);
    if (sqlite3_load_extension(db, module_path, NULL, NULL) != SQLITE_OK) _exit(91);
    Run(db, "SELECT aztables_create_table('demo.Exits')");
    Run(db, "CREATE VIRTUAL TABLE t USING aztables(table=Exits, connection=demo, A INT32)");
    for (int i = 0; i < 5; ++i) {
      Run(db,
          "INSERT OR REPLACE INTO t(PartitionKey, RowKey, A) SELECT 'p', value, 1 FROM "
          "json_each('[\"1\",\"2\",\"3\",\"4\",\"5\"]')");
      Run(db, "SELECT * FROM t");
      Run(db, "SELECT * FROM t WHERE PartitionKey = 'p' AND RowKey = '5'");
      __atomic_fetch_add(&statements, 1, __ATOMIC_RELAXED);
    }
    sqlite3_close(db);
  }
  return unused;
}

/* Runs in the process of one exit. */
static int Exit(unsigned number) {
  unsigned char byte = 0;
  if (number % 2 == 0) RAND_bytes(&byte, 1); /* the host uses OpenSSL first; exit() shuts it down */
  for (unsigned i = 0; i < 1 + number % 3; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, RunStatements, NULL) != 0) return 92;
  }
  const int least = number % 5 == 0 ? 0 : 1; /* 0: exit during the start */
  while (__atomic_load_n(&statements, __ATOMIC_RELAXED) < least) usleep(100);
  srand(number);
  usleep((useconds_t)(rand() % (number % 3 == 0 ? 2000 : 30000)));
  exit(0);
}

int main(int count, char **arguments) {
  if (count < 3) return 2;
  module_path = arguments[1];
  if (count > 3) return Exit((unsigned)strtoul(arguments[3], NULL, 10));
  const int times = atoi(arguments[2]);
  int failures = 0;
  for (int i = 0; i < times; ++i) {
    char number[20];
    snprintf(number, sizeof number, "%d", i);
    const pid_t child = fork();
    if (child == 0) {
      execl(arguments[0], arguments[0], module_path, "1", number, (char *)NULL);
      _exit(93);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
      ++failures;
      fprintf(stderr, "exit %d of %d ended with wait status %d\n", i, times, status);
    }
  }
  printf("%d exits, %d failures\n", times, failures);
  return failures == 0 ? 0 : 1;
}
