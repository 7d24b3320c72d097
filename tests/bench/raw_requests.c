/*
 * raw_requests: sends requests by libcurl and throws the responses away. It is the lower bound of a
 * client of the same requests.
 *
 * usage: raw_requests ENDPOINT CONNECTIONS [CA_FILE] <REQUESTS
 *
 * A line of REQUESTS is "GET PATH" or "POST PATH BYTES OPERATIONS": an EGT of inserts whose body
 * has so many bytes. The first line is a warm-up, which is not measured. Prints seconds, CPU
 * seconds, and the received bytes of bodies.
 */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { kMostConnections = 64, kUrlSize = 65536 };

typedef struct {
  CURL* easy;
  char* body;
} Connection;

static const char* endpoint;
static size_t received;

static _Noreturn void Fail(const char* what) {
  fprintf(stderr, "raw_requests: %s\n", what);
  exit(1);
}

static void Check(CURL* easy, CURLcode code) {
  char* url = NULL;
  if (code == CURLE_OK) return;
  curl_easy_getinfo(easy, CURLINFO_EFFECTIVE_URL, &url);
  fprintf(stderr, "raw_requests: %s: %s\n", curl_easy_strerror(code), url);
  exit(1);
}

static size_t Sink(char* data, size_t size, size_t count, void* context) {
  (void)data;
  (void)context;
  received += size * count;
  return size * count;
}

static double Now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double Cpu(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* A body in which page_server counts `operations` of `method`. */
static char* MakeBody(size_t bytes, size_t operations, const char* method) {
  char operation[64];
  const int size = snprintf(operation, sizeof operation, "\r\n%s http HTTP/1.1\r\n", method);
  char* const body = malloc(bytes + 1);
  if (body == NULL || bytes < operations * (size_t)size)
    Fail("a body has too few bytes, or no memory");
  memset(body, ' ', bytes);
  body[bytes] = '\0';
  for (size_t i = 0; i < operations; ++i) {
    memcpy(body + i * (bytes / operations), operation, (size_t)size);
  }
  return body;
}

/* Sets the next request of stdin; returns 0 at the end. */
static int SetNext(Connection* connection) {
  static char line[kUrlSize], path[kUrlSize], url[2 * kUrlSize];
  char method[8], operation[8] = "";
  size_t bytes = 0, operations = 0;
  if (fgets(line, sizeof line, stdin) == NULL) return 0;
  if (sscanf(line, "%7s %65535s %zu %zu %7s", method, path, &bytes, &operations, operation) < 2) {
    Fail("no request");
  }
  snprintf(url, sizeof url, "%s%s", endpoint, path);
  curl_easy_setopt(connection->easy, CURLOPT_URL, url);
  free(connection->body);
  connection->body = NULL;
  if (strcmp(method, "GET") == 0) {
    curl_easy_setopt(connection->easy, CURLOPT_HTTPGET, 1L);
  } else {
    connection->body = MakeBody(bytes, operations, operation);
    curl_easy_setopt(connection->easy, CURLOPT_POSTFIELDS, connection->body);
    curl_easy_setopt(connection->easy, CURLOPT_POSTFIELDSIZE, (long)bytes);
  }
  return 1;
}

static void Open(Connection* connection, const char* ca_file, struct curl_slist* headers) {
  connection->body = NULL;
  connection->easy = curl_easy_init();
  if (connection->easy == NULL) Fail("libcurl cannot be initialized");
  curl_easy_setopt(connection->easy, CURLOPT_WRITEFUNCTION, Sink);
  curl_easy_setopt(connection->easy, CURLOPT_BUFFERSIZE, 524288L);
  curl_easy_setopt(connection->easy, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(connection->easy, CURLOPT_PROXY, "");
  curl_easy_setopt(connection->easy, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(connection->easy, CURLOPT_PRIVATE, connection);
  if (ca_file != NULL) curl_easy_setopt(connection->easy, CURLOPT_CAINFO, ca_file);
}

static void RunSerial(Connection* connection) {
  while (SetNext(connection)) {
    Check(connection->easy, curl_easy_perform(connection->easy));
  }
}

static void RunParallel(Connection* connections, int count) {
  CURLM* const multi = curl_multi_init();
  int running = 0;
  for (int i = 0; i < count; ++i) {
    if (SetNext(&connections[i])) {
      curl_multi_add_handle(multi, connections[i].easy);
      ++running;
    }
  }
  while (running > 0) {
    int active, left;
    CURLMsg* message;
    curl_multi_perform(multi, &active);
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
      Connection* connection = NULL;
      Check(message->easy_handle, message->data.result);
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char**)&connection);
      curl_multi_remove_handle(multi, connection->easy);
      --running;
      if (SetNext(connection)) {
        curl_multi_add_handle(multi, connection->easy);
        ++running;
      }
    }
    if (running > 0) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  curl_multi_cleanup(multi);
}

int main(int count, char** words) {
  static Connection connections[kMostConnections];
  if (count < 3) Fail("usage: raw_requests ENDPOINT CONNECTIONS [CA_FILE] <REQUESTS");
  endpoint = words[1];
  const int wanted = atoi(words[2]);
  if (wanted < 1 || wanted > kMostConnections) Fail("1 to 64 connections");
  curl_global_init(CURL_GLOBAL_ALL);
  struct curl_slist* headers =
      curl_slist_append(NULL, "Accept: application/json;odata=minimalmetadata");
  headers = curl_slist_append(headers, "Expect:");
  for (int i = 0; i < wanted; ++i) Open(&connections[i], count > 3 ? words[3] : NULL, headers);
  if (!SetNext(&connections[0])) Fail("there is no warm-up");
  Check(connections[0].easy, curl_easy_perform(connections[0].easy));
  received = 0;
  const double cpu = Cpu(), began = Now();
  if (wanted == 1) {
    RunSerial(&connections[0]);
  } else {
    RunParallel(connections, wanted);
  }
  printf("%.6f %.6f %zu\n", Now() - began, Cpu() - cpu, received);
  return 0;
}
