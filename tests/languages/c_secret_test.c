/* Checks that a process keeps no copy of a SAS in memory after it connects with it, sends
** requests and disconnects. The service rejects this SAS, which does not affect the check.
**
** usage: c_secret_test PATH-OF-aztables.so, with AZTABLES_CONNECTION_DEMO in the environment
*/
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kMarkerSize = 40 };
static unsigned char hidden[kMarkerSize]; /* the bytes of the marker, XORed with kMask */
static const unsigned char kMask = 0x5A;

static void Fail(const char *what) {
  fprintf(stderr, "c_secret_test.c: %s\n", what);
  exit(1);
}

/* Counts the marker in the readable and writable memory of this process. */
static int CountInMemory(void) {
  FILE *const maps = fopen("/proc/self/maps", "r");
  if (maps == NULL) Fail("no /proc/self/maps");
  char line[600];
  int found = 0;
  while (fgets(line, sizeof line, maps) != NULL) {
    unsigned long begin = 0;
    unsigned long end = 0;
    char rights[5] = "";
    if (sscanf(line, "%lx-%lx %4s", &begin, &end, rights) != 3) continue;
    if (rights[0] != 'r' || rights[1] != 'w') continue;
    for (unsigned long at = begin; at + kMarkerSize <= end; ++at) {
      const volatile unsigned char *const bytes = (const unsigned char *)at;
      int same = 0;
      while (same < kMarkerSize && (bytes[same] ^ kMask) == hidden[same]) ++same;
      if (same == kMarkerSize) ++found;
    }
  }
  fclose(maps);
  return found;
}

static int Run(sqlite3 *db, const char *sql) { return sqlite3_exec(db, sql, NULL, NULL, NULL); }

static void Connect(sqlite3 *db, const char *endpoint) {
  char how[500];
  int size = snprintf(how, sizeof how,
                      "AccountName=devstoreaccount1;TableEndpoint=%s;SharedAccessSignature="
                      "sv=2019-02-02&se=2099-01-01&sp=raud&tn=demo&sig=",
                      endpoint);
  for (int i = 0; i < kMarkerSize; ++i) how[size++] = (char)(hidden[i] ^ kMask);
  how[size] = '\0'; /* without it, SQLite copies the text to terminate it */
  sqlite3_stmt *statement = NULL;
  sqlite3_prepare_v2(db, "SELECT aztables_connect('sas', ?)", -1, &statement, NULL);
  sqlite3_bind_text(statement, 1, how, -1, SQLITE_STATIC);
  if (sqlite3_step(statement) != SQLITE_ROW) Fail(sqlite3_errmsg(db));
  sqlite3_finalize(statement);
  if (CountInMemory() < 2) Fail("the search does not find the existing copies");
  explicit_bzero(how, sizeof how);
}

int main(int count, char **arguments) {
  const char *const demo = getenv("AZTABLES_CONNECTION_DEMO");
  const char *const key = "TableEndpoint=";
  if (count < 2 || demo == NULL || strstr(demo, key) == NULL) return 2;
  char endpoint[200];
  snprintf(endpoint, sizeof endpoint, "%s", strstr(demo, key) + strlen(key));
  endpoint[strcspn(endpoint, ";")] = '\0';
  for (int i = 0; i < kMarkerSize; ++i) {
    hidden[i] =
        (unsigned char)(("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP"[(i * 7) % 42]) ^ kMask);
  }
  sqlite3 *db = NULL;
  if (sqlite3_open(":memory:", &db) != SQLITE_OK) return 2;
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL);
  if (sqlite3_load_extension(db, arguments[1], NULL, NULL) != SQLITE_OK) Fail("no extension");
  Connect(db, endpoint);
  if (Run(db,
          "CREATE VIRTUAL TABLE temp.t USING aztables(table=demo, connection=sas, A INT32, "
          "retries=0)") != SQLITE_OK) {
    Fail(sqlite3_errmsg(db));
  }
  if (Run(db, "SELECT * FROM t") != SQLITE_AUTH) Fail(sqlite3_errmsg(db));
  if (Run(db, "INSERT INTO t(PartitionKey, RowKey) SELECT 'p', value FROM json_each('[1,2,3]')") !=
      SQLITE_AUTH) {
    Fail(sqlite3_errmsg(db));
  }
  if (Run(db, "SELECT aztables_create_table('sas.other')") != SQLITE_AUTH) Fail(sqlite3_errmsg(db));
  if (Run(db, "SELECT aztables_disconnect('sas')") != SQLITE_OK) Fail(sqlite3_errmsg(db));
  int left = CountInMemory();
  /* The thread of the last request may not have wiped its memory yet. */
  for (int i = 0; i < 100 && left > 0; ++i) {
    usleep(20 * 1000);
    left = CountInMemory();
  }
  sqlite3_close(db);
  printf("%d copies of the SAS are left\n", left);
  return left == 0 ? 0 : 1;
}
