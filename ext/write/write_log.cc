// WriteLog: see include/aztables/write/write_log.h.
#include "aztables/write/write_log.h"

#include "aztables/model/limits.h"
#include "aztables/odata/json_writer.h"

namespace aztables {
namespace {

// Memory of an operation besides its texts, roughly.
constexpr size_t kOverhead = 256;

size_t BytesOf(const InsertOperation& insert) {
  // The keys stand in the operation, in its body and in the set of keys.
  return insert.body.size() + 2 * (insert.partition_key.size() + insert.row_key.size()) + kOverhead;
}

}  // namespace

// No key contains U+0000.
std::string WriteLog::KeyOf(std::string_view partition_key, std::string_view row_key) {
  std::string key(partition_key);
  key += '\0';
  key += row_key;
  return key;
}

Status WriteLog::Insert(int64_t owner, const Entity& entity) {
  Operation operation;
  operation.owner = owner;
  operation.insert.partition_key = entity.partition_key;
  operation.insert.row_key = entity.row_key;
  AppendEntityJson(operation.insert.body, entity);
  const size_t bytes = BytesOf(operation.insert);
  if (bytes_ + bytes > kMaxPendingBytes) {
    return {Code::kTooBig,
            "the transaction holds more than 256 MiB of entities that are not sent yet: COMMIT in "
            "smaller steps"};
  }
  // Everything that can run out of memory comes before the first change.
  if (operations_.size() == operations_.capacity())
    operations_.reserve(2 * operations_.size() + 16);
  if (!keys_.insert(KeyOf(entity.partition_key, entity.row_key)).second) {
    return {Code::kAlreadyExists, "the entity " +
                                      DescribeEntity(entity.partition_key, entity.row_key) +
                                      " was inserted before in this transaction"};
  }
  operation.sequence = next_sequence_++;
  operations_.push_back(std::move(operation));
  bytes_ += bytes;
  return {};
}

void WriteLog::Forget(const InsertOperation& insert) {
  keys_.erase(KeyOf(insert.partition_key, insert.row_key));
  bytes_ -= BytesOf(insert);
}

void WriteLog::TruncateTo(int64_t sequence, int64_t owner) {
  std::erase_if(operations_, [&](const Operation& operation) {
    const bool drop = operation.sequence >= sequence && operation.owner == owner;
    if (drop) Forget(operation.insert);
    return drop;
  });
}

void WriteLog::Clear() {
  operations_ = {};
  keys_ = {};
  bytes_ = 0;
}

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
  // Of the savepoints below the first mark SQLite never told: they are as old as it is.
  const bool told = !marks_.empty() && marks_.back().number == number - 1;
  if (sequence && number > 0 && !told) marks_.push_back({number - 1, *sequence});
}

std::optional<int64_t> SavepointMarks::RollbackTo(int number) {
  std::optional<int64_t> sequence;
  while (!marks_.empty() && marks_.back().number >= number) {
    sequence = marks_.back().sequence;
    marks_.pop_back();
  }
  if (sequence) marks_.push_back({number, *sequence});
  return sequence;
}

}  // namespace aztables
