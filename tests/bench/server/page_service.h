// PageService: the operations of the table service that the benchmark needs, on a GeneratedTable.
// It checks no signature and stores no write. It refuses with 501 what it does not know.
//
// Thread rule: any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/generated_table.h"

namespace aztables::bench {

struct ServedRequest {
  std::string method;
  std::string path;                                              // without escapes
  std::function<std::string(const char* name)> query_parameter;  // without escapes
  std::string body;
};

struct ServedResponse {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  size_t entities = 0;  // read or written, for the rate limit
};

// The address of the counters. It has no latency.
inline constexpr std::string_view kStatusPath = "/_bench";

class PageService {
 public:
  explicit PageService(support::TableKeys keys) : table_(std::move(keys)) {}

  ServedResponse Handle(const ServedRequest& request);

 private:
  ServedResponse Page(const ServedRequest& request);
  ServedResponse Point(const ServedRequest& request, std::string_view address);
  ServedResponse Batch(const ServedRequest& request);
  ServedResponse Write(const ServedRequest& request);
  ServedResponse Counters() const;

  GeneratedTable table_;
  std::atomic<size_t> requests_{0};
  std::atomic<size_t> entities_{0};  // of pages and point reads
  std::atomic<size_t> inserts_{0};
  std::atomic<size_t> deletes_{0};
  std::atomic<size_t> refused_{0};  // responses 501
};

// Delays responses, so that all of them together have at most a number of entities per second.
class RateLimit {
 public:
  // 0: no limit.
  explicit RateLimit(double entities_per_second) : rate_(entities_per_second) {}

  // When a response with so many entities may be sent.
  std::chrono::steady_clock::time_point Reserve(size_t entities);

 private:
  const double rate_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point free_;  // under mutex_
};

}  // namespace aztables::bench
