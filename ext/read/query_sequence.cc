// QuerySequence: see query_sequence.h.
#include "read/query_sequence.h"

#include <algorithm>

namespace aztables {

QuerySequence::QuerySequence(BoundPlan plan, Open open, size_t parallel)
    : plan_(std::move(plan)), open_(std::move(open)), parallel_(parallel) {}

// If the LIMIT is known, the statement may end before it needs all queries. A point query returns
// at most one row.
size_t QuerySequence::Most() const {
  if (plan_.page_hint == 0) return parallel_;
  if (plan_.kind != ReadKind::kPoint || given_ >= plan_.page_hint) return 1;
  return std::min(parallel_, plan_.page_hint - given_);
}

Status QuerySequence::StartSome() {
  const size_t size = plan_.size();
  const size_t most = Most();
  while (next_ < size && reads_.size() < std::max<size_t>(most, 1)) {
    AZTABLES_RETURN_IF_ERROR(StartNext());
    if (most > 1) AZTABLES_RETURN_IF_ERROR(reads_.back()->Prefetch());
  }
  return {};
}

Status QuerySequence::StartNext() {
  auto read = open_(plan_.At(next_), next_ + 1 == plan_.size());
  if (!read.ok()) return read.status();
  ++next_;
  reads_.push_back(std::move(*read));
  return {};
}

Result<bool> QuerySequence::Next() {
  for (;;) {
    AZTABLES_RETURN_IF_ERROR(StartSome());
    if (reads_.empty()) return false;
    auto more = reads_.front()->Next();
    if (more.ok() && *more) ++given_;
    if (!more.ok() || *more) return more;
    if (reads_.size() == 1 && next_ == plan_.size()) return false;
    // The next read begins before this one ends, so the cursor keeps its hold on bulk writes.
    if (reads_.size() == 1) AZTABLES_RETURN_IF_ERROR(StartNext());
    reads_.pop_front();
  }
}

}  // namespace aztables
