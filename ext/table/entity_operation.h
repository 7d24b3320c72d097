// EntityOperation: one operation of an entity group transaction.
// Source: Microsoft, "Insert Entity", "Update Entity", "Merge Entity", "Insert Or Replace Entity",
// "Insert Or Merge Entity", "Delete Entity".
//
// Ownership: an operation points to texts that outlive it.
// Thread rule: values and free functions; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace aztables {

enum class EntityVerb : uint8_t {
  kInsert,
  kInsertOrReplace,
  kInsertOrMerge,
  kReplace,  // Update Entity
  kMerge,
  kDelete,
};

// "Insert", "InsertOrReplace" and so on, the name in messages and in aztables_commits.
std::string_view VerbName(EntityVerb verb);

struct EntityOperation {
  EntityVerb verb = EntityVerb::kInsert;
  std::string_view partition_key;
  std::string_view row_key;
  std::string_view if_match;    // of kReplace, kMerge and kDelete: an ETag or "*"
  std::string_view properties;  // a JSON object on one line, without the keys; not of kDelete
};

}  // namespace aztables
