// Coalesce: see include/aztables/write/entity_write.h.
#include <vector>

#include "aztables/odata/json_writer.h"
#include "aztables/write/entity_write.h"

namespace aztables {
namespace {

// `changes` put over `base`, both objects of properties.
Result<std::string> Merged(const std::string& base, const std::string& changes,
                           EntityReader& reader) {
  auto merged = reader.All(base);
  if (!merged.ok()) return merged.status();
  auto changed = reader.All(changes);
  if (!changed.ok()) return changed.status();
  for (Property& property : *changed) SetProperty(*merged, std::move(property));
  std::string text;
  AppendPropertiesJson(text, *merged);
  return text;
}

// The condition of two writes: that of the first, which read the older entity, unless it has none.
const std::string& Stricter(const std::string& first, const std::string& second) {
  return first == "*" && !second.empty() ? second : first;
}

bool IsInsert(WriteVerb verb) {
  return verb == WriteVerb::kInsert || verb == WriteVerb::kInsertOrIgnore;
}

// A Result of a write with the properties of `before` under those of `next`.
Result<EntityWrite> Over(const EntityWrite& before, const EntityWrite& next, WriteVerb verb,
                         const std::string& if_match, EntityReader& reader) {
  auto properties = Merged(before.properties, next.properties, reader);
  if (!properties.ok()) return properties.status();
  return EntityWrite{verb, if_match, std::move(*properties)};
}

Result<EntityWrite> AfterInsert(const EntityWrite& before, const EntityWrite& next,
                                EntityReader& reader) {
  switch (next.verb) {
    case WriteVerb::kNothing:
    case WriteVerb::kInsertOrIgnore:
      return before;
    case WriteVerb::kInsert:
    case WriteVerb::kInsertOrReplace:
    case WriteVerb::kReplace:
      return EntityWrite{WriteVerb::kInsert, "", next.properties};
    case WriteVerb::kInsertOrMerge:
    case WriteVerb::kMerge:
      return Over(before, next, WriteVerb::kInsert, "", reader);
    case WriteVerb::kDelete:
      break;
  }
  // A delete whose statement met the service's entity, which the insert did not know of, is of
  // that.
  return next.if_match.empty() ? EntityWrite{} : next;
}

// The insert may have met an entity, which then is the one that `next` was made for.
Result<EntityWrite> AfterInsertOrIgnore(const EntityWrite& before, const EntityWrite& next,
                                        EntityReader& reader) {
  const bool met = !next.if_match.empty();
  if (met || next.verb == WriteVerb::kInsertOrReplace) return next;
  return AfterInsert(before, next, reader);
}

// Whatever the entity was, it is there now, and its ETag says nothing.
Result<EntityWrite> AfterUpsert(const EntityWrite& before, const EntityWrite& next,
                                EntityReader& reader) {
  const bool unread = next.if_match.empty() || before.verb == WriteVerb::kInsertOrReplace;
  switch (next.verb) {
    case WriteVerb::kNothing:
    case WriteVerb::kInsertOrIgnore:
      return before;
    case WriteVerb::kInsert:
    case WriteVerb::kInsertOrReplace:
      return EntityWrite{WriteVerb::kInsertOrReplace, "", next.properties};
    case WriteVerb::kInsertOrMerge:
      return Over(before, next, before.verb, "", reader);
    case WriteVerb::kMerge:
      return unread ? Over(before, next, before.verb, "", reader)
                    : Over(before, next, WriteVerb::kMerge, next.if_match, reader);
    case WriteVerb::kReplace:
      return unread ? EntityWrite{WriteVerb::kInsertOrReplace, "", next.properties} : next;
    case WriteVerb::kDelete:
      break;
  }
  return EntityWrite{WriteVerb::kDelete, unread ? "*" : next.if_match, ""};
}

Result<EntityWrite> AfterUpdate(const EntityWrite& before, const EntityWrite& next,
                                EntityReader& reader) {
  const std::string& if_match = Stricter(before.if_match, next.if_match);
  switch (next.verb) {
    case WriteVerb::kNothing:
    case WriteVerb::kInsertOrIgnore:
      return before;
    case WriteVerb::kInsert:
    case WriteVerb::kInsertOrReplace:
    case WriteVerb::kReplace:
      return EntityWrite{WriteVerb::kReplace, if_match, next.properties};
    case WriteVerb::kInsertOrMerge:
    case WriteVerb::kMerge:
      return Over(before, next, before.verb, if_match, reader);
    case WriteVerb::kDelete:
      break;
  }
  return EntityWrite{WriteVerb::kDelete, if_match, ""};
}

// What comes behind a delete makes a new entity: of the old one only its ETag counts.
EntityWrite AfterDelete(const EntityWrite& before, const EntityWrite& next) {
  if (next.verb == WriteVerb::kNothing || next.verb == WriteVerb::kDelete) return before;
  if (before.if_match == "*") return {WriteVerb::kInsertOrReplace, "", next.properties};
  return {WriteVerb::kReplace, before.if_match, next.properties};
}

}  // namespace

Result<EntityWrite> Coalesce(const EntityWrite& before, const EntityWrite& next,
                             EntityReader& reader) {
  switch (before.verb) {
    case WriteVerb::kNothing:
      break;
    case WriteVerb::kInsert:
      return AfterInsert(before, next, reader);
    case WriteVerb::kInsertOrIgnore:
      return AfterInsertOrIgnore(before, next, reader);
    case WriteVerb::kInsertOrReplace:
    case WriteVerb::kInsertOrMerge:
      return AfterUpsert(before, next, reader);
    case WriteVerb::kMerge:
    case WriteVerb::kReplace:
      return AfterUpdate(before, next, reader);
    case WriteVerb::kDelete:
      return AfterDelete(before, next);
  }
  return next;
}

Existence ExistenceAfter(WriteVerb verb) {
  switch (verb) {
    case WriteVerb::kNothing:
      return Existence::kUnknown;
    case WriteVerb::kDelete:
      return Existence::kAbsent;
    default:
      return Existence::kExists;
  }
}

bool IsWhole(WriteVerb verb) {
  return IsInsert(verb) || verb == WriteVerb::kInsertOrReplace || verb == WriteVerb::kReplace;
}

}  // namespace aztables
