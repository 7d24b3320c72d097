// KeyText: both keys of an entity as one text, for hashing. Keys do not contain NUL.
//
// Thread rule: pure; any thread.
#pragma once

#include <string>

#include "write/write_log.h"

namespace aztables {

inline std::string KeyText(EntityKeyView key) {
  std::string text(key.partition_key);
  text += '\0';
  text += key.row_key;
  return text;
}

}  // namespace aztables
