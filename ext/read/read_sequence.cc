// ReadSequence: see read_sequence.h.
#include "read/read_sequence.h"

#include <algorithm>

namespace aztables {

ReadSequence::ReadSequence(BoundRead read, Open open, size_t parallel)
    : read_(std::move(read)), open_(std::move(open)), parallel_(parallel) {}

// If the LIMIT is known, the statement may end before it needs all queries. A point query returns
// at most one row.
size_t ReadSequence::Most() const {
  if (read_.page_hint == 0) return parallel_;
  if (read_.kind != ReadKind::kPoint || given_ >= read_.page_hint) return 1;
  return std::min(parallel_, read_.page_hint - given_);
}

Status ReadSequence::StartSome() {
  const size_t size = read_.size();
  const size_t most = Most();
  while (next_ < size && reads_.size() < std::max<size_t>(most, 1)) {
    AZTABLES_RETURN_IF_ERROR(StartNext());
    // A single query waits until a row is requested.
    if (size > 1 && most > 1) AZTABLES_RETURN_IF_ERROR(reads_.back()->Prefetch());
  }
  return {};
}

Status ReadSequence::StartNext() {
  auto read = open_(read_.At(next_), next_ + 1 == read_.size());
  if (!read.ok()) return read.status();
  ++next_;
  reads_.push_back(std::move(*read));
  return {};
}

Result<bool> ReadSequence::Next() {
  for (;;) {
    AZTABLES_RETURN_IF_ERROR(StartSome());
    if (reads_.empty()) return false;
    auto more = reads_.front()->Next();
    if (more.ok() && *more) ++given_;
    if (!more.ok() || *more) return more;
    if (reads_.size() == 1 && next_ == read_.size()) return false;
    // The next read begins before this one ends, so that what is held for the cursor stays held.
    if (reads_.size() == 1) AZTABLES_RETURN_IF_ERROR(StartNext());
    reads_.pop_front();
  }
}

void ReadSequence::Collects() {
  for (const auto& read : reads_) read->Collects();
}

}  // namespace aztables
