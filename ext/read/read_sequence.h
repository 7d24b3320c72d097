// ReadSequence: the queries of one read (one for each key of a list), one after another, with
// several requests under way at once. If the rows of each query are in the order of the keys, all
// rows are.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <deque>
#include <functional>
#include <memory>

#include "plan/bound_read.h"
#include "read/overlaid_read.h"
#include "read/row_source.h"

namespace aztables {

class ReadSequence final : public RowSource {
 public:
  // Makes the read of one query; `last`: no other query follows.
  using Open = std::function<Result<std::unique_ptr<OverlaidRead>>(BoundQuery query, bool last)>;

  // `parallel`: the most requests under way at once.
  ReadSequence(BoundRead read, Open open, size_t parallel);

  Result<bool> Next() override;
  Cell At(size_t place) const override { return reads_.front()->At(place); }
  bool remote() const override { return reads_.front()->remote(); }
  bool conflicts() const override { return reads_.front()->conflicts(); }
  int64_t asked_at() const override { return reads_.front()->asked_at(); }
  void Collects() override;
  void Finished() override {
    if (!reads_.empty()) reads_.front()->Finished();
  }

 private:
  Status StartSome();
  Status StartNext();

  // How many reads may be under way now.
  size_t Most() const;

  BoundRead read_;
  Open open_;
  size_t parallel_;
  size_t given_ = 0;                                 // rows returned so far
  size_t next_ = 0;                                  // index of the next query to open
  std::deque<std::unique_ptr<OverlaidRead>> reads_;  // the first one provides the rows
};

}  // namespace aztables
