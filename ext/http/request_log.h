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

  // Makes it an empty record, with the memory of its texts.
  void Clear();
};

class RequestLog {
 public:
  static constexpr size_t kCapacity = 10'000;

  // Begins a record, whose id alone is set. Beyond the capacity it takes the place and the memory
  // of the oldest one. Valid until the next call.
  RequestRecord& Add();
  // The record with this id, or null if it was dropped.
  RequestRecord* Find(int64_t id);
  // The number of records, and one of them: 0 is the oldest.
  size_t size() const { return records_.size(); }
  const RequestRecord& At(size_t i) const;

 private:
  size_t PlaceOf(int64_t id) const { return static_cast<size_t>(id - 1) % kCapacity; }

  std::deque<RequestRecord> records_;  // by PlaceOf()
  int64_t next_id_ = 1;
};

}  // namespace aztables
