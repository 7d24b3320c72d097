// Coalesce: see entity_write.h.
#include <vector>

#include "odata/json_writer.h"
#include "write/entity_write.h"

namespace aztables {
namespace {

// `base` with `changes` applied; both are objects of properties.
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

bool HasEtag(const EntityWrite& write) { return !write.if_match.empty() && write.if_match != "*"; }

// The write whose condition covers both: the one that read the older entity. That is the second one
// if a function of its statement made the first one.
const EntityWrite& Stricter(const EntityWrite& first, const EntityWrite& second) {
  if (first.if_match == "*" && !second.if_match.empty()) return second;
  return HasEtag(second) && second.read_at <= first.read_at ? second : first;
}

// A write with the properties of `before`, overwritten by those of `next`, and the condition of
// `held`.
Result<EntityWrite> Over(const EntityWrite& before, const EntityWrite& next, WriteVerb verb,
                         const EntityWrite& held, EntityReader& reader) {
  auto properties = Merged(before.properties, next.properties, reader);
  if (!properties.ok()) return properties.status();
  return EntityWrite{verb, held.if_match, std::move(*properties), held.read_at};
}

// The result of `next`, which is not a delete, on an entity that `before` wrote. The verb is
// `replaced` if `next` gives all properties, `merged` if it gives some.
Result<EntityWrite> Onto(const EntityWrite& before, const EntityWrite& next, WriteVerb replaced,
                         WriteVerb merged, const EntityWrite& held, EntityReader& reader) {
  switch (next.verb) {
    case WriteVerb::kNothing:
    case WriteVerb::kInsertOrIgnore:
      return before;
    case WriteVerb::kInsertOrMerge:
    case WriteVerb::kMerge:
      return Over(before, next, merged, held, reader);
    default:
      return EntityWrite{replaced, held.if_match, next.properties, held.read_at};
  }
}

// A write that changes or deletes a row of this transaction finds it gone.
EntityWrite AfterNothing(const EntityWrite& next) {
  const bool of_row = next.verb == WriteVerb::kMerge || next.verb == WriteVerb::kReplace ||
                      next.verb == WriteVerb::kDelete;
  return of_row && next.if_match.empty() ? EntityWrite{} : next;
}

// An insert stays an insert. So it fails if the entity exists, and later writes do not change that
// entity. Only the delete of a row that is not known to have met an entity leaves nothing to send.
Result<EntityWrite> AfterInsert(const EntityWrite& before, const EntityWrite& next,
                                EntityReader& reader) {
  if (next.verb != WriteVerb::kDelete) {
    return Onto(before, next, WriteVerb::kInsert, WriteVerb::kInsert, {}, reader);
  }
  // A delete with an ETag means that the insert has met an entity. So the insert must fail.
  return next.if_match.empty() ? EntityWrite{} : before;
}

// The insert may have met an entity, which then is the entity that `next` was made for. No single
// operation merges into an existing entity, but else inserts the properties that only the insert
// gives. So the COMMIT fails if there is such an entity.
Result<EntityWrite> AfterInsertOrIgnore(const EntityWrite& before, const EntityWrite& next,
                                        EntityReader& reader) {
  const bool met = !next.if_match.empty();
  if (met || next.verb == WriteVerb::kInsertOrReplace) return next;
  if (next.verb == WriteVerb::kInsertOrMerge) {
    const auto all = GivesAllOf(before, next, reader);
    if (!all.ok()) return all.status();
    if (*all) return next;
  }
  return AfterInsert(before, next, reader);
}

// The entity exists now in any case. An ETag counts only if a part of the entity that was read
// remains. So it never counts after a write that replaced the entity.
Result<EntityWrite> AfterUpsert(const EntityWrite& before, const EntityWrite& next,
                                EntityReader& reader) {
  const bool unread = next.if_match.empty() || before.verb == WriteVerb::kInsertOrReplace;
  if (next.verb == WriteVerb::kDelete) {
    return unread ? EntityWrite{WriteVerb::kDelete, "*", ""} : next;
  }
  if (unread) {
    return Onto(before, next, WriteVerb::kInsertOrReplace, before.verb, {}, reader);
  }
  return Onto(before, next, WriteVerb::kReplace, WriteVerb::kMerge, next, reader);
}

Result<EntityWrite> AfterUpdate(const EntityWrite& before, const EntityWrite& next,
                                EntityReader& reader) {
  const EntityWrite& held = Stricter(before, next);
  if (next.verb == WriteVerb::kDelete) {
    return EntityWrite{WriteVerb::kDelete, held.if_match, "", held.read_at};
  }
  return Onto(before, next, WriteVerb::kReplace, before.verb, held, reader);
}

// A write after a delete makes a new entity. Only the ETag of the old one still counts.
EntityWrite AfterDelete(const EntityWrite& before, const EntityWrite& next) {
  // A write that changes a row finds it gone.
  const bool of_row = next.verb == WriteVerb::kMerge || next.verb == WriteVerb::kReplace;
  if (of_row || next.verb == WriteVerb::kNothing || next.verb == WriteVerb::kDelete) return before;
  if (before.if_match == "*") return {WriteVerb::kInsertOrReplace, "", next.properties};
  return {WriteVerb::kReplace, before.if_match, next.properties, before.read_at};
}

}  // namespace

Result<EntityWrite> Coalesce(const EntityWrite& before, const EntityWrite& next,
                             EntityReader& reader) {
  switch (before.verb) {
    case WriteVerb::kNothing:
      return AfterNothing(next);
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
      break;
  }
  return AfterDelete(before, next);
}

Result<bool> GivesAllOf(const EntityWrite& before, const EntityWrite& next, EntityReader& reader) {
  auto both = reader.All(before.properties);
  if (!both.ok()) return both.status();
  auto given = reader.All(next.properties);
  if (!given.ok()) return given.status();
  const size_t count = given->size();
  for (Property& property : *both) SetProperty(*given, std::move(property));
  return given->size() == count;
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
  return verb == WriteVerb::kInsert || verb == WriteVerb::kInsertOrIgnore ||
         verb == WriteVerb::kInsertOrReplace || verb == WriteVerb::kReplace;
}

}  // namespace aztables
