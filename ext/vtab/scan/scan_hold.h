// ScanHold: registers a scan that reads windows of keys with its remote table. Between two windows
// such a scan may have no reader. While it has more rows to return, bulk=on sends nothing.
//
// Ownership: shares the remote table; `use` outlives it.
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "read/row_stream.h"
#include "vtab/session/session.h"

namespace aztables {

class ScanHold {
 public:
  ScanHold(std::shared_ptr<RemoteTable> remote, const RowUse* use, int64_t statement)
      : remote_(std::move(remote)), use_(use), statement_(statement) {
    remote_->scans.insert(this);
  }
  ScanHold(const ScanHold&) = delete;
  ScanHold& operator=(const ScanHold&) = delete;
  ~ScanHold() { remote_->scans.erase(this); }

  // There are no more rows.
  void End() { ended_ = true; }
  // As BudgetedPageReader's.
  bool Holds() const { return !ended_ || (Collects() && !use_->finished); }
  bool CollectsFor(int64_t statement) const { return Collects() && statement_ == statement; }

 private:
  bool Collects() const { return use_ != nullptr && use_->collects; }

  std::shared_ptr<RemoteTable> remote_;  // has this in its `scans`
  const RowUse* use_;
  int64_t statement_;
  bool ended_ = false;
};

}  // namespace aztables
