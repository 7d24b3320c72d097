// RowStream: rows, one after another. It is the one interface of all stages between the pages of a
// query and a cursor. A stage that adds nothing to a read is left out.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "odata/entity_page.h"
#include "write/write_log.h"

namespace aztables {

class RowStream {
 public:
  virtual ~RowStream() = default;
  // Moves to the next row, at first to the first one; false at the end.
  virtual Result<bool> Next() = 0;
  // A cell of the row, by its place in an EntityPage, valid until the next Next().
  virtual Cell At(size_t place) const = 0;
  // The sequence number of the log's next write when this row was requested.
  virtual int64_t asked_at() const = 0;
  // Whether the service returned an entity for this row.
  virtual bool remote() const { return true; }
  // Whether the transaction inserted this row, and the service returned an entity with its key: the
  // INSERT will fail.
  virtual bool conflicts() const { return false; }
  // Starts to read the first page, if there is one. The only error is an interrupt.
  virtual Status Prefetch() { return {}; }

  EntityKeyView key() const {
    return {At(EntityPage::kPartitionKey).view(), At(EntityPage::kRowKey).view()};
  }
};

// What a statement does with the rows of a cursor. With bulk=on, nothing is sent that would outdate
// rows that it has collected.
struct RowUse {
  bool collects = false;  // it collects the rows to change them
  bool finished = false;  // it has collected all of them
};

}  // namespace aztables
