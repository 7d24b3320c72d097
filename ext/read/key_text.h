// KeyText: both keys of an entity as one text, for hashing. Keys do not contain NUL.
//
// Thread rule: pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace aztables {

inline std::string KeyText(std::string_view partition_key, std::string_view row_key) {
  std::string text(partition_key);
  text += '\0';
  text += row_key;
  return text;
}

}  // namespace aztables
