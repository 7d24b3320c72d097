// RequestLog: see request_log.h.
#include "http/request_log.h"

namespace aztables {

int64_t RequestLog::Add(RequestRecord record) {
  record.id = next_id_++;
  records_.push_back(std::move(record));
  if (records_.size() > kCapacity) records_.pop_front();
  return next_id_ - 1;
}

RequestRecord* RequestLog::Find(int64_t id) {
  if (records_.empty() || id < records_.front().id || id > records_.back().id) return nullptr;
  return &records_[static_cast<size_t>(id - records_.front().id)];
}

}  // namespace aztables
