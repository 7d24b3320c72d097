// SavepointMarks: see write_log.h.
#include "write/write_log.h"

namespace aztables {

void SavepointMarks::Savepoint(int number, int64_t next_sequence) {
  Release(number);
  marks_.push_back({number, next_sequence});
}

void SavepointMarks::Release(int number) {
  std::optional<int64_t> sequence;
  while (!marks_.empty() && marks_.back().number >= number) {
    sequence = marks_.back().sequence;
    marks_.pop_back();
  }
  // SQLite did not report the savepoints below the first mark: they are as old as the mark.
  const bool reported = !marks_.empty() && marks_.back().number == number - 1;
  if (sequence && number > 0 && !reported) marks_.push_back({number - 1, *sequence});
}

std::optional<int64_t> SavepointMarks::RollbackTo(int number) {
  std::optional<int64_t> sequence;
  bool exact = false;
  while (!marks_.empty() && marks_.back().number >= number) {
    sequence = marks_.back().sequence;
    exact = marks_.back().number == number;
    marks_.pop_back();
  }
  // A savepoint without a mark is older than the table's part in the transaction.
  if (sequence && !exact && !marks_.empty() && marks_.front().number < 0) {
    sequence = marks_.front().sequence;
  }
  if (sequence) marks_.push_back({number, *sequence});
  return sequence;
}

}  // namespace aztables
