// page_server: a table service that answers from memory, so that benchmarks measure their client.
//
// usage: page_server --entities N [--each N | --keys NAME] [--latency MS] [--rate
// ENTITIES_PER_SECOND]
//                    [--certificate FILE --key FILE]
//
// NAME is one of key_distributions.h, in place of --each entities in a partition.
//
// It listens on a free loopback port, which it prints. GET /_bench shows its CPU seconds and its
// counters. SIGTERM ends it. Each connection has a thread, which sleeps during the latency.
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/page_service.h"
#include "support/key_distributions.h"

namespace aztables::bench {
namespace {

constexpr unsigned kMostConnections = 500;
constexpr size_t kConnectionMemory = size_t{192} << 10;  // long filters and continuation tokens

constexpr const char* kOptions[] = {"--entities", "--each",        "--keys", "--latency",
                                    "--rate",     "--certificate", "--key"};

struct Serving {
  PageService service;
  RateLimit limit;
  std::chrono::duration<double, std::milli> latency;
};

std::string TextOf(const char* text) { return text == nullptr ? std::string() : text; }

void FreeBody(void* body) { delete static_cast<std::string*>(body); }

MHD_Result Respond(MHD_Connection* connection, ServedResponse served) {
  auto body = std::make_unique<std::string>(std::move(served.body));
  MHD_Response* const response = MHD_create_response_from_buffer_with_free_callback_cls(
      body->size(), body->data(), &FreeBody, body.get());
  if (response == nullptr) return MHD_NO;
  static_cast<void>(body.release());
  for (const auto& [name, value] : served.headers) {
    MHD_add_response_header(response, name.c_str(), value.c_str());
  }
  MHD_add_response_header(response, "x-ms-version", "2019-02-02");
  MHD_add_response_header(response, "Server", "Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0");
  const MHD_Result result =
      MHD_queue_response(connection, static_cast<unsigned>(served.status), response);
  MHD_destroy_response(response);
  return result;
}

// MHD calls it with the head, with each part of the body, and at the end of the request.
MHD_Result OnRequest(void* context, MHD_Connection* connection, const char* path,
                     const char* method, const char*, const char* data, size_t* size,
                     void** exchange) {
  auto* request = static_cast<ServedRequest*>(*exchange);
  if (request == nullptr) {
    *exchange = new ServedRequest{.method = method, .path = path};
    return MHD_YES;
  }
  if (*size > 0) {
    request->body.append(data, std::exchange(*size, 0));
    return MHD_YES;
  }
  auto& serving = *static_cast<Serving*>(context);
  request->query_parameter = [connection](const char* name) {
    return TextOf(MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name));
  };
  const auto began = std::chrono::steady_clock::now();
  ServedResponse response = serving.service.Handle(*request);
  if (request->path != kStatusPath) {
    std::this_thread::sleep_until(began + serving.latency);
    std::this_thread::sleep_until(serving.limit.Reserve(response.entities));
  }
  return Respond(connection, std::move(response));
}

void OnEnd(void*, MHD_Connection*, void** exchange, MHD_RequestTerminationCode) {
  delete static_cast<ServedRequest*>(*exchange);
}

std::string FileContent(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

int Fail(const std::string& message) {
  std::fprintf(stderr, "page_server: %s\n", message.c_str());
  return 1;
}

// Keys that are computed once.
support::KeyForm Stored(const support::KeyForm& form, size_t count) {
  std::vector<std::string> keys;
  for (size_t i = 0; i < count; ++i) keys.push_back(form(i));
  return [keys = std::make_shared<const std::vector<std::string>>(std::move(keys))](size_t i) {
    return (*keys)[i];
  };
}

std::optional<support::TableKeys> KeysNamed(const std::string& name, size_t count) {
  for (auto& [known, keys] : support::KeyDistributions(count)) {
    if (known != name) continue;
    size_t largest = 0;
    for (size_t i = 0; i < keys.Partitions(); ++i) {
      if (keys.Begin(i + 1) <= keys.Begin(i)) return std::nullopt;  // too few entities
      largest = std::max(largest, keys.Begin(i + 1) - keys.Begin(i));
    }
    keys.partition_key = Stored(keys.partition_key, keys.Partitions());
    keys.row_key = Stored(keys.row_key, largest);
    return keys;
  }
  return std::nullopt;
}

int Serve(std::map<std::string, std::string> options) {
  const auto number = [&](const char* name, const char* otherwise) {
    const std::string& text = options[name];
    return std::strtod(text.empty() ? otherwise : text.c_str(), nullptr);
  };
  const auto count = static_cast<size_t>(number("--entities", "0"));
  const auto each = static_cast<size_t>(number("--each", "1000"));
  if (each == 0) return Fail("--each must be positive");
  const std::string& name = options["--keys"];
  auto keys = name.empty() ? PaddedKeys(count, each) : KeysNamed(name, count);
  if (!keys) return Fail("no keys have the name " + name + ", or there are too few entities");
  Serving serving{.service = PageService(std::move(*keys)),
                  .limit = RateLimit(number("--rate", "0")),
                  .latency = decltype(Serving::latency)(number("--latency", "0"))};

  prctl(PR_SET_TIMERSLACK, 1UL);  // ns; the threads inherit it, and end their latency on time

  sigset_t ends;  // all threads block them, so that sigwait() sees them
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  std::signal(SIGPIPE, SIG_IGN);

  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL;
  const std::string certificate = FileContent(options["--certificate"]);
  const std::string key = FileContent(options["--key"]);
  const bool tls = !options["--certificate"].empty();
  if (tls && (certificate.empty() || key.empty())) return Fail("no certificate or no key");
  if (tls) flags |= MHD_USE_TLS;
  const MHD_OptionItem credentials[] = {
      {tls ? MHD_OPTION_HTTPS_MEM_CERT : MHD_OPTION_END, 0, const_cast<char*>(certificate.c_str())},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, const_cast<char*>(key.c_str())},
      {MHD_OPTION_END, 0, nullptr}};
  MHD_Daemon* const daemon = MHD_start_daemon(
      flags, 0, nullptr, nullptr, &OnRequest, &serving, MHD_OPTION_SOCK_ADDR, &address,
      MHD_OPTION_CONNECTION_LIMIT, kMostConnections, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
      kConnectionMemory, MHD_OPTION_NOTIFY_COMPLETED, &OnEnd, nullptr, MHD_OPTION_ARRAY,
      credentials, MHD_OPTION_END);
  if (daemon == nullptr) return Fail("the server cannot be started");
  const MHD_DaemonInfo* const info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  std::printf("listening on 127.0.0.1:%d\n", static_cast<int>(info->port));
  std::fflush(stdout);
  int signal = 0;
  sigwait(&ends, &signal);
  MHD_stop_daemon(daemon);
  return 0;
}

}  // namespace
}  // namespace aztables::bench

int main(int count, char** words) {
  std::map<std::string, std::string> options;
  for (const char* name : aztables::bench::kOptions) options[name];
  for (int i = 1; i < count; i += 2) {
    const auto option = options.find(words[i]);
    if (option == options.end() || i + 1 == count) {
      return aztables::bench::Fail(std::string("unknown option, or no value: ") + words[i]);
    }
    option->second = words[i + 1];
  }
  return aztables::bench::Serve(std::move(options));
}
