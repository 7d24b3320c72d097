// TableShape: what earlier reads have shown of a table's size.
//
// Thread rule: a value.
#pragma once

#include <cstdint>

namespace aztables {

struct TableShape {
  bool known = false;  // the table was read to its end
  int64_t entities = 1'000'000;
  int64_t per_partition = 1'000;  // on average
  // The entities of the largest partition: the cost is highest if too much of it is read.
  int64_t largest = 100'000;

  // How many requests read this many entities. The service returns at most 1,000 per response.
  static int64_t Pages(int64_t entities) {
    return entities <= 1'000 ? 1 : (entities + 999) / 1'000;
  }
};

}  // namespace aztables
