// PendingMergeStream: see pending_merge_stream.h.
#include "read/pending_merge_stream.h"

#include <algorithm>

#include "model/key.h"
#include "odata/json_writer.h"

namespace aztables {
namespace {

// Whether the entity exists although the service returned none. If the write is a merge or a
// delete, the entity is gone.
bool StandsAlone(WriteVerb verb) { return IsWhole(verb) || verb == WriteVerb::kInsertOrMerge; }

// The properties in the form and the order in which a page shows them.
Result<std::string> AsStored(const std::string& properties, EntityReader& reader) {
  auto all = reader.All(properties);
  if (!all.ok()) return all.status();
  std::sort(all->begin(), all->end(),
            [](const Property& a, const Property& b) { return CompareKeys(a.name, b.name) < 0; });
  std::string text = "{";
  for (const Property& property : *all) {
    AppendStoredProperty(text, text.size() > 1 ? "," : "", property.name, property.value);
  }
  return text + '}';
}

// The properties of `changes` put over those of the remote entity.
Result<std::string> Over(std::string_view remote, const std::string& changes,
                         EntityReader& reader) {
  const auto all = reader.All(changes);
  if (!all.ok()) return all.status();
  std::string text(remote);
  for (const Property& property : *all) {
    auto set = reader.Set(text, property);
    if (!set.ok()) return set.status();
    text = std::move(*set);
  }
  return text;
}

}  // namespace

PendingMergeStream::PendingMergeStream(std::unique_ptr<RowStream> read,
                                       const Projection& projection, Setting setting)
    : read_(std::move(read)),
      setting_(std::move(setting)),
      wants_entity_(projection.entity),
      own_({projection.properties, false}) {}

Result<bool> PendingMergeStream::PeekRemote() {
  if (remote_end_ || !read_) return false;
  if (!row_used_) return true;
  row_used_ = false;
  auto more = read_->Next();
  if (more.ok()) remote_end_ = !*more;
  return more;
}

Result<std::optional<WriteSnapshot::Item>> PendingMergeStream::PeekOwn() {
  if (next_own_) {
    if (!*next_own_) return std::optional<WriteSnapshot::Item>();
    const auto write = setting_.pending.Find(**next_own_);
    if (!write.ok()) return write.status();
    if (*write) return std::optional<WriteSnapshot::Item>(WriteSnapshot::Item{**next_own_, *write});
    Pass(**next_own_);  // ROLLBACK TO undid it
  }
  for (;;) {
    auto item = FollowingOwn();
    if (!item.ok()) return item;
    if (!*item || (!setting_.descending && setting_.keys.EndsBefore((*item)->key))) {
      next_own_.emplace();
      return std::optional<WriteSnapshot::Item>();
    }
    const EntityKeyView key = (*item)->key;
    if (setting_.keys.Matches(key)) {
      next_own_.emplace(EntityKey{std::string(key.partition_key), std::string(key.row_key)});
      return item;
    }
    Pass(key);
  }
}

Result<std::optional<WriteSnapshot::Item>> PendingMergeStream::FollowingOwn() {
  if (!setting_.descending) {
    return setting_.pending.Next(passed_any_ ? last_own_ : setting_.keys.begin(), passed_any_);
  }
  auto item = setting_.pending.Previous(passed_any_ ? std::optional(last_own_) : std::nullopt);
  if (!item.ok() || !*item) return item;
  const bool before = CompareEntityKeys((*item)->key, setting_.keys.begin()) < 0;
  return before ? std::optional<WriteSnapshot::Item>() : item;
}

void PendingMergeStream::Pass(EntityKeyView key) {
  last_own_ = {std::string(key.partition_key), std::string(key.row_key)};
  passed_any_ = true;
  next_own_.reset();
}

Result<bool> PendingMergeStream::Next() {
  for (;;) {
    const auto remote = PeekRemote();
    if (!remote.ok()) return remote.status();
    std::optional<WriteSnapshot::Item> own;
    if (setting_.ordered || !*remote) {
      auto next = PeekOwn();
      if (!next.ok()) return next.status();
      own = *next;
    }
    int order = !own ? 1 : !*remote ? -1 : CompareEntityKeys(own->key, read_->key());
    if (setting_.descending && own && *remote) order = -order;
    if (own && order <= 0) Pass(own->key);
    if (order < 0) {
      const bool met = met_.count({last_own_.partition_key, last_own_.row_key}) > 0;
      if (met || !StandsAlone(own->write->verb)) continue;
      AZTABLES_RETURN_IF_ERROR(Show(last_own_, *own->write, false));
      return true;
    }
    if (!*remote) return false;
    row_used_ = true;
    const auto found = setting_.pending.Find(read_->key());
    if (!found.ok()) return found.status();
    const EntityWrite* const write = *found;
    if (write != nullptr && !setting_.ordered) {
      met_.emplace(read_->key().partition_key, read_->key().row_key);
    }
    if (write != nullptr && write->verb == WriteVerb::kDelete) continue;
    // An insert-or-ignore does not change an existing entity.
    if (write != nullptr && write->verb != WriteVerb::kInsertOrIgnore) {
      AZTABLES_RETURN_IF_ERROR(Show(read_->key(), *write, true));
    } else {
      show_own_ = inserted_ = false;
      over_remote_ = true;
    }
    return true;
  }
}

Status PendingMergeStream::Show(EntityKeyView key, const EntityWrite& write, bool over_remote) {
  std::string body;
  AppendEntityJson(body, key.partition_key, key.row_key, write.properties);
  AZTABLES_RETURN_IF_ERROR(own_.ReadEntity(std::move(body)));
  show_own_ = true;
  over_remote_ = over_remote;
  inserted_ = write.verb == WriteVerb::kInsert;
  whole_ = IsWhole(write.verb) || !over_remote;
  if (!wants_entity_) return {};
  auto entity =
      whole_ ? AsStored(write.properties, *setting_.reader)
             : Over(read_->At(EntityPage::kEntity).view(), write.properties, *setting_.reader);
  if (!entity.ok()) return entity.status();
  entity_ = std::move(*entity);
  return {};
}

Cell PendingMergeStream::At(size_t place) const {
  if (!show_own_) return read_->At(place);
  switch (place) {
    case EntityPage::kPartitionKey:
    case EntityPage::kRowKey:
      return own_.At(0, place);
    case EntityPage::kTimestamp:
    case EntityPage::kEtag:
      return over_remote_ && !inserted_ ? read_->At(place) : Cell();
    case EntityPage::kEntity: {
      Cell cell;
      SetCellText(cell, EdmType::kString, entity_);
      return cell;
    }
    default:
      break;
  }
  const Cell& own = own_.At(0, place);
  const bool absent = own.type == EdmType::kNull && !own.malformed;
  return absent && !whole_ ? read_->At(place) : own;
}

}  // namespace aztables
