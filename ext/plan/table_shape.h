// TableShape: what is known of a table's size, from what was read of it.
//
// Thread rule: a value.
#pragma once

#include <cstdint>

namespace aztables {

struct TableShape {
  bool known = false;  // the table was read to its end
  int64_t entities = 1'000'000;
  int64_t per_partition = 1'000;  // on average
  // Entities of the largest partition: reading too much of that costs most.
  int64_t largest = 100'000;

  // How many requests read so many entities. The service sends at most a thousand at once.
  static int64_t Pages(int64_t entities) {
    return entities <= 1'000 ? 1 : (entities + 999) / 1'000;
  }
};

}  // namespace aztables
