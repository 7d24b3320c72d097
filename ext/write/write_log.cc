// WriteLog: see write_log.h.
#include "write/write_log.h"

#include <algorithm>

#include "model/key.h"

namespace aztables {
namespace {

// Approximate memory of a write without its texts.
constexpr size_t kOverhead = 256;

Status TooMuch(size_t max_bytes) {
  return {Code::kBudget,
          "the transaction holds more than max_pending=" + std::to_string(max_bytes) +
              " bytes that are not sent yet; COMMIT in smaller steps, or raise max_pending"};
}

template <typename Written>
bool IsBefore(const Written& written, int64_t sequence) {
  return written.sequence < sequence;
}

}  // namespace

int CompareEntityKeys(EntityKeyView a, EntityKeyView b) {
  if (const int order = CompareAsShown(a.partition_key, b.partition_key)) return order;
  if (const int order = CompareAsShown(a.row_key, b.row_key)) return order;
  const int order = a.partition_key.compare(b.partition_key);
  return order != 0 ? order : a.row_key.compare(b.row_key);
}

WriteLog::WriteLog() : contents_(std::make_shared<Contents>()) {}

size_t WriteLog::BytesOf(EntityKeyView key, const EntityWrite& write) {
  return key.partition_key.size() + key.row_key.size() + write.if_match.size() +
         write.properties.size() + kOverhead;
}

Status WriteLog::Add(int64_t owner, EntityKeyView key, EntityWrite write, size_t max_bytes) {
  if (bytes_ + BytesOf(key, write) > max_bytes) return TooMuch(max_bytes);
  return Append(owner, key, std::move(write));
}

Status WriteLog::Move(int64_t owner, EntityKeyView from, EntityWrite removal, EntityKeyView to,
                      EntityWrite insert, size_t max_bytes) {
  const size_t bytes = BytesOf(from, removal) + BytesOf(to, insert);
  if (bytes_ + bytes > max_bytes) return TooMuch(max_bytes);
  const EntityWrite* const known = Find(from);
  const WriteVerb before = known == nullptr ? WriteVerb::kNothing : known->verb;
  EntityMove move;
  move.sequence = next_sequence_;
  move.owner = owner;
  move.from = {std::string(from.partition_key), std::string(from.row_key)};
  move.to = {std::string(to.partition_key), std::string(to.row_key)};
  const bool inserted = before == WriteVerb::kInsert || before == WriteVerb::kInsertOrReplace ||
                        before == WriteVerb::kInsertOrMerge;
  const bool ignored = before == WriteVerb::kInsertOrIgnore && !removal.if_match.empty();
  move.was_there = !inserted && (before != WriteVerb::kInsertOrIgnore || ignored);
  auto& moves = contents_->moves;
  if (moves.size() == moves.capacity()) moves.reserve(2 * moves.size() + 16);
  AZTABLES_RETURN_IF_ERROR(Append(owner, to, std::move(insert)));
  if (Status status = Append(owner, from, std::move(removal)); !status.ok()) {
    TruncateTo(move.sequence, owner);
    return status;
  }
  contents_->moves.push_back(std::move(move));
  return {};
}

Status WriteLog::Append(int64_t owner, EntityKeyView key, EntityWrite write) {
  const size_t bytes = BytesOf(key, write);
  auto& [entities, entries, moves] = *contents_;
  // All steps that can fail are before the first change.
  if (!empty_) empty_ = std::make_shared<Contents>();
  if (entries.size() == entries.capacity()) entries.reserve(2 * entries.size() + 16);
  auto place = entities.find(key);
  if (place == entities.end()) {
    Writes writes{.versions = {next_sequence_, std::move(write)}};
    EntityKey name{std::string(key.partition_key), std::string(key.row_key)};
    place = entities.emplace(std::move(name), std::move(writes)).first;
  } else {
    AZTABLES_RETURN_IF_ERROR(
        place->second.versions.Add(next_sequence_, std::move(write), *reader_));
  }
  entries.push_back({next_sequence_++, owner, place});
  bytes_ += bytes;
  return {};
}

const EntityWrite* WriteLog::Find(EntityKeyView key) const {
  const auto place = contents_->entities.find(key);
  return place == contents_->entities.end() ? nullptr : &place->second.versions.All();
}

Existence WriteLog::ExistenceOf(EntityKeyView key) const {
  const EntityWrite* const write = Find(key);
  return write == nullptr ? Existence::kUnknown : ExistenceAfter(write->verb);
}

bool WriteLog::HasWritesFrom(int64_t owner, int64_t sequence) const {
  const auto& entries = contents_->entries;
  for (size_t i = entries.size(); i-- > 0 && entries[i].sequence >= sequence;) {
    if (entries[i].owner == owner) return true;
  }
  return false;
}

std::vector<WriteLog::Item> WriteLog::Items() const {
  std::vector<Item> items;
  items.reserve(contents_->entities.size());
  for (const Entry& entry : contents_->entries) {
    const auto& [key, writes] = *entry.entity;
    const bool first = writes.versions.first_sequence() == entry.sequence;
    const EntityWrite& write = writes.versions.All();
    if (first && write.verb != WriteVerb::kNothing) items.push_back({entry.sequence, &key, &write});
  }
  return items;
}

void WriteLog::TakeBack(int64_t sequence) {
  auto& [entities, entries, moves] = *contents_;
  const auto move = std::lower_bound(moves.begin(), moves.end(), sequence, IsBefore<EntityMove>);
  if (move == moves.end() || move->sequence != sequence) return;
  moves.erase(move);
  for (int64_t each = sequence; each < sequence + 2; ++each) {  // the insert and the delete
    const auto entry = std::lower_bound(entries.begin(), entries.end(), each, IsBefore<Entry>);
    auto& [key, writes] = *entry->entity;
    bytes_ -= BytesOf(key, writes.versions.At(each)) - BytesOf(key, {});
    writes.versions.Void(each, *reader_);
  }
}

void WriteLog::TruncateTo(int64_t sequence, int64_t owner) {
  auto& entries = contents_->entries;
  size_t kept = entries.size();
  while (kept > 0 && entries[kept - 1].sequence >= sequence) --kept;
  std::vector<Entities::iterator> touched;
  touched.reserve(entries.size() - kept);
  for (size_t i = entries.size(); i-- > kept;) {
    if (entries[i].owner != owner) continue;
    Writes& writes = entries[i].entity->second;
    bytes_ -= BytesOf(entries[i].entity->first, writes.versions.At(entries[i].sequence));
    writes.versions.Drop(entries[i].sequence);
    if (!writes.touched) touched.push_back(entries[i].entity);
    writes.touched = true;
  }
  const auto dropped = [&](const auto& written) {
    return written.sequence >= sequence && written.owner == owner;
  };
  const auto first = entries.begin() + static_cast<std::ptrdiff_t>(kept);
  entries.erase(std::remove_if(first, entries.end(), dropped), entries.end());
  auto& moves = contents_->moves;
  const auto old = std::lower_bound(moves.begin(), moves.end(), sequence, IsBefore<EntityMove>);
  moves.erase(std::remove_if(old, moves.end(), dropped), moves.end());
  for (const auto& entity : touched) {
    entity->second.touched = false;
    if (!entity->second.versions.Settle(*reader_)) contents_->entities.erase(entity);
  }
}

std::shared_ptr<WriteLog::Contents> WriteLog::Contents::Copy() const {
  auto copy = std::make_shared<Contents>();
  copy->moves = moves;
  for (const auto& [key, writes] : entities) {
    copy->entities.emplace_hint(copy->entities.end(), key, writes);
  }
  copy->entries.reserve(entries.size());
  for (const Entry& entry : entries) {
    copy->entries.push_back(entry);
    copy->entries.back().entity = copy->entities.find(entry.entity->first);
  }
  return copy;
}

void WriteLog::Forget(const std::vector<EntityKey>& sent) {
  if (contents_.use_count() > 1) contents_ = contents_->Copy();  // snapshots keep theirs
  Entities& entities = contents_->entities;
  for (const EntityKey& key : sent) {
    const auto place = entities.find(key);
    if (place != entities.end()) place->second.touched = true;
  }
  const auto is_gone = [&](const EntityKey& key) {
    const auto place = entities.find(key);
    return place == entities.end() || place->second.touched;
  };
  std::erase_if(contents_->moves,
                [&](const EntityMove& move) { return is_gone(move.from) || is_gone(move.to); });
  std::erase_if(contents_->entries, [&](const Entry& entry) {
    if (!entry.entity->second.touched) return false;
    bytes_ -= BytesOf(entry.entity->first, entry.entity->second.versions.At(entry.sequence));
    return true;
  });
  for (const EntityKey& key : sent) {
    const auto place = entities.find(key);
    if (place != entities.end()) entities.erase(place);
  }
}

void WriteLog::Drop() noexcept {
  contents_->entries.clear();
  contents_->moves.clear();
  contents_->entities.clear();
  Clear();
}

void WriteLog::Clear() noexcept {
  if (empty_) contents_ = std::move(empty_);  // else there was no write
  bytes_ = 0;
}

}  // namespace aztables
