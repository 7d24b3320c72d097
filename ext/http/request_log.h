// RequestLog: the last requests of a database connection, for the table aztables_requests. It holds
// no secrets: URLs are kept without the SAS, headers and bodies are not kept.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "http/message.h"

namespace aztables {

struct RequestRecord {
  int64_t id = 0;       // 1, 2, 3, ... in the order in which requests began
  int64_t time_ms = 0;  // when it began, Unix time
  RequestLabel label;
  std::string method;
  std::string url;
  int status = 0;     // 0: no response (yet)
  std::string code;   // the service's error code
  std::string error;  // why there is no response
  int attempts = 0;
  int64_t entities = 0;  // read or written
  int64_t bytes_in = 0;  // of bodies, all attempts
  int64_t bytes_out = 0;
  double ms = 0;           // from the start of the first attempt to the end of the last one
  std::string request_id;  // x-ms-request-id of the last response
};

class RequestLog {
 public:
  static constexpr size_t kCapacity = 10'000;

  // Appends a record, dropping the oldest beyond the capacity; returns its id.
  int64_t Add(RequestRecord record);
  // The record with this id, or null if it was dropped.
  RequestRecord* Find(int64_t id);
  const std::deque<RequestRecord>& records() const { return records_; }

 private:
  std::deque<RequestRecord> records_;
  int64_t next_id_ = 1;
};

}  // namespace aztables
