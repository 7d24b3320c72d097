// ReadSequence: see read_sequence.h.
#include "read_sequence.h"

#include <algorithm>

namespace aztables {

ReadSequence::ReadSequence(BoundRead read, Open open, size_t parallel)
    : read_(std::move(read)), open_(std::move(open)), parallel_(parallel) {
  // A LIMIT that is known ends before all of them are wanted; each point brings one row at most.
  if (read_.page_hint == 0) return;
  const bool points = read_.kind == ReadKind::kPoint;
  parallel_ = points ? std::min(parallel_, read_.page_hint) : 1;
}

Status ReadSequence::StartSome() {
  const size_t size = read_.size();
  while (next_ < size && reads_.size() < parallel_) {
    auto read = open_(read_.At(next_), next_ + 1 == size);
    if (!read.ok()) return read.status();
    ++next_;
    reads_.push_back(std::move(*read));
    // What is alone waits until a row is wanted.
    if (size > 1 && parallel_ > 1) reads_.back()->Prefetch();
  }
  return {};
}

Result<bool> ReadSequence::Next() {
  for (;;) {
    if (reads_.empty() || reads_.size() < parallel_) AZTABLES_RETURN_IF_ERROR(StartSome());
    if (reads_.empty()) return false;
    auto more = reads_.front()->Next();
    if (!more.ok() || *more) return more;
    if (reads_.size() == 1 && next_ == read_.size()) return false;
    // The next one begins before this one ends: what is held for the cursor stays held.
    if (reads_.size() == 1) {
      ++parallel_;
      const Status started = StartSome();
      --parallel_;
      AZTABLES_RETURN_IF_ERROR(started);
    }
    reads_.pop_front();
  }
}

void ReadSequence::Collects() {
  for (const auto& read : reads_) read->Collects();
}

}  // namespace aztables
