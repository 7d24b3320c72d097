// ScanRecord: what a read of a whole table shows of its size and its keys, for later plans and
// reads.
//
// Thread rule: values.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "odata/entity_page.h"
#include "plan/table_shape.h"
#include "table/key_span.h"
#include "table/known_keys.h"

namespace aztables {

class ScanRecord {
 public:
  // Adds the rows of a page. `range` identifies the range of which it is the next page. `span`:
  // what that range has now; it never goes from one partition back to several. `token`: the page
  // has a continuation token, so it is a whole page.
  void Add(size_t range, const KeySpan& span, const EntityPage& page, const RowsOfSpan& rows,
           bool token);

  // REQUIRES: every entity was added
  TableShape Shape() const;
  KnownKeys TakeKeys();

 private:
  std::map<size_t, ShapeCount> ranges_;        // as long as they have several partitions
  std::map<std::string, int64_t> partitions_;  // the entities of ranges that have only this one
  KnownKeys keys_;
  size_t full_ = 0;  // entities of the last page with a token
};

}  // namespace aztables
