// QuerySequence: the rows of several queries (one for each key of a list), one after another, with
// several requests under way at once. If the rows of each query are in the order of the keys, all
// rows are.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <deque>
#include <functional>
#include <memory>

#include "plan/bound_plan.h"
#include "read/row_stream.h"

namespace aztables {

class QuerySequence final : public RowStream {
 public:
  // Makes the rows of one query; `last`: no other query follows.
  using Open = std::function<Result<std::unique_ptr<RowStream>>(EntityQuery query, bool last)>;

  // `parallel`: the most requests under way at once.
  QuerySequence(BoundPlan plan, Open open, size_t parallel);

  Result<bool> Next() override;
  Cell At(size_t place) const override { return reads_.front()->At(place); }
  bool remote() const override { return reads_.front()->remote(); }
  bool conflicts() const override { return reads_.front()->conflicts(); }
  int64_t asked_at() const override { return reads_.front()->asked_at(); }

 private:
  Status StartSome();
  Status StartNext();

  // How many reads may be under way now.
  size_t Most() const;

  BoundPlan plan_;
  Open open_;
  size_t parallel_;
  size_t given_ = 0;                              // rows returned so far
  size_t next_ = 0;                               // index of the next query to open
  std::deque<std::unique_ptr<RowStream>> reads_;  // the first one provides the rows
};

}  // namespace aztables
