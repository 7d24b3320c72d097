// OpenEgts: see open_egts.h.
#include "write/open_egts.h"

namespace aztables {

void OpenEgts::Add(const TableWrites& writes, const Egt& egt) {
  writes_.push_back(writes);
  writes_.back().log = &no_log_;
  writes_.back().waits = nullptr;
  Egt& copy = egts_.emplace_back(egt);
  copy.table = writes_.size() - 1;
  copy.refused.clear();  // they are reported already
  copy.skipped.clear();
  copy.partition_key = Own(copy.partition_key);
  for (EntityOperation& operation : copy.operations) {
    operation.partition_key = copy.partition_key;
    operation.row_key = Own(operation.row_key);
    operation.if_match = Own(operation.if_match);
    operation.properties = Own(operation.properties);
  }
}

}  // namespace aztables
