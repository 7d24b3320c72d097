// RowsAlreadyRead: rows that the running statement has read before, by rowid. SQLite reads the rows
// of a DELETE ... LIMIT twice. The second time only their keys and ETags are of interest, and no
// request is needed.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plan/bound_plan.h"
#include "read/row_stream.h"
#include "vtab/session/read_set.h"

namespace aztables {

class RowsAlreadyRead final : public RowStream {
 public:
  // Null if a row was not read, or if more than keys and ETags is selected. `bound` has rowids.
  static std::unique_ptr<RowStream> Make(const BoundPlan& bound, const ReadSet& read_set,
                                         int64_t statement);

  Result<bool> Next() override { return ++next_ <= rows_.size(); }
  Cell At(size_t place) const override;
  int64_t asked_at() const override { return row().asked_at; }
  bool remote() const override { return row().remote; }
  bool conflicts() const override { return row().conflicts; }

 private:
  struct Row {
    std::string partition_key;
    std::string row_key;
    std::string etag;  // empty: it has none
    int64_t asked_at;
    bool remote;
    bool conflicts;
  };

  const Row& row() const { return rows_[next_ - 1]; }

  std::vector<Row> rows_;
  size_t next_ = 0;
};

}  // namespace aztables
