// RowSource: the source of a cursor's rows, one after another.
//
// Thread rule: the thread of the database connection.
#pragma once

#include "base/status.h"
#include "odata/entity_page.h"
#include "write/write_log.h"

namespace aztables {

class RowSource {
 public:
  virtual ~RowSource() = default;
  // Moves to the next row, at first to the first one; false at the end.
  virtual Result<bool> Next() = 0;
  // A cell of the row, by its place in an EntityPage, valid until the next Next().
  virtual Cell At(size_t place) const = 0;
  // Whether the service returned an entity for this row.
  virtual bool remote() const = 0;
  // Whether the transaction inserted this row, and the service returned an entity with its key: the
  // INSERT will fail.
  virtual bool conflicts() const = 0;
  // The sequence number of the log's next write when this row was requested.
  virtual int64_t asked_at() const = 0;
  // Collects(): a statement collects the rows to change them. Finished(): there are no more rows.
  virtual void Collects() = 0;
  virtual void Finished() = 0;

  EntityKeyView key() const {
    return {At(EntityPage::kPartitionKey).view(), At(EntityPage::kRowKey).view()};
  }
};

}  // namespace aztables
