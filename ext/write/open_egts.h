// OpenEgts: entity group transactions (EGTs) that were sent before COMMIT and whose outcome is
// unknown. COMMIT sends each of them again, unchanged, which settles it: see commit.h.
//
// Ownership: it holds copies, so the writes may leave their log. Clients outlive it.
// Thread rule: the thread of the database connection.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "write/egt_plan.h"

namespace aztables {

class OpenEgts {
 public:
  OpenEgts() = default;
  OpenEgts(const OpenEgts&) = delete;
  OpenEgts& operator=(const OpenEgts&) = delete;

  void Add(const TableWrites& writes, const Egt& egt);

  std::vector<TableWrites>& writes() { return writes_; }
  std::vector<Egt>& egts() { return egts_; }

 private:
  std::string_view Own(std::string_view text) { return texts_.emplace_back(text); }

  std::deque<std::string> texts_;
  const WriteLog no_log_;
  std::vector<TableWrites> writes_;  // one for each EGT
  std::vector<Egt> egts_;
};

}  // namespace aztables
