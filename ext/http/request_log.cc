// RequestLog: see request_log.h.
#include "http/request_log.h"

namespace aztables {

void RequestRecord::Clear() {
  label.Clear();
  for (std::string* text : {&method, &url, &code, &error, &request_id}) text->clear();
  id = time_ms = entities = bytes_in = bytes_out = 0;
  status = attempts = 0;
  ms = 0;
}

RequestRecord& RequestLog::Add() {
  if (records_.size() < kCapacity) records_.emplace_back();
  const int64_t id = next_id_++;
  RequestRecord& record = records_[PlaceOf(id)];
  record.Clear();
  record.id = id;
  return record;
}

RequestRecord* RequestLog::Find(int64_t id) {
  if (id <= next_id_ - 1 - static_cast<int64_t>(records_.size()) || id >= next_id_) return nullptr;
  return &records_[PlaceOf(id)];
}

const RequestRecord& RequestLog::At(size_t i) const {
  const int64_t oldest = next_id_ - static_cast<int64_t>(records_.size());
  return records_[PlaceOf(oldest + static_cast<int64_t>(i))];
}

}  // namespace aztables
