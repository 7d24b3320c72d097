// Which properties of which types some entities have: the input of column inference. This file only
// counts; table_sample.h defines which entities are read.
//
// Thread rule: values; one thread at a time.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/edm.h"

namespace aztables {

// One property. A malformed value, or a value of an undocumented type, counts as kNull. As
// the type of a column, kNull means ANY.
struct PropertyUse {
  std::string name;
  std::vector<std::pair<EdmType, size_t>>
      types;            // most frequent first, ties in order of appearance
  size_t entities = 0;  // entities that have the property
  bool exact = true;    // a Double can hold each of its Int64
  std::string example;  // the first value seen: ExampleText()
};

class PropertyTally {
 public:
  // Begins the next entity.
  void BeginEntity() { ++entities_; }
  // One property of the entity. Its type is that of `value`; for kNull, `value.text` is the text as
  // the service sent it. A name that an entity has twice counts once.
  void Add(std::string_view name, const Value& value);

  size_t entities() const { return entities_; }
  // Most frequent first, ties in order of first appearance.
  std::vector<PropertyUse> Properties() const;

 private:
  struct Use {
    PropertyUse use;
    size_t last_entity = 0;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  size_t entities_ = 0;
  std::vector<Use> uses_;  // in order of first appearance
  std::unordered_map<std::string, size_t, Hash, std::equal_to<>> index_;
};

// A value as text for a person, at most 60 characters. A longer text is cut and ends with "...".
// Binary is x'0A1F'.
inline constexpr size_t kMaxExample = 60;
std::string ExampleText(const Value& value);

}  // namespace aztables
