// RowSource: where a cursor's rows come from, one after another.
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
  // Moves to the next row, which is the first one at first; false at the end.
  virtual Result<bool> Next() = 0;
  // A cell of the row, by its place in an EntityPage, good until the next Next().
  virtual Cell At(size_t place) const = 0;
  // Whether the service has shown the entity of this row.
  virtual bool remote() const = 0;
  // Whether the row is one that the transaction has inserted, over an entity that the service has
  // shown: the INSERT will fail.
  virtual bool conflicts() const = 0;
  // The sequence number of the log's next write when the service was asked for this row.
  virtual int64_t asked_at() const = 0;
  // The rows are collected by a statement that will change them; and there are no more.
  virtual void Collects() = 0;
  virtual void Finished() = 0;

  EntityKeyView key() const {
    return {At(EntityPage::kPartitionKey).view(), At(EntityPage::kRowKey).view()};
  }
};

}  // namespace aztables
