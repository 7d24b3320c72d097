// SortedRows: all rows of another source, by RowKey and then PartitionKey. For the one case in
// which an order was promised that no request gives: a key was to be equal to one text, and the
// value that came is a number, or a text with U+FFFD, to which several texts may be equal.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "read/row_source.h"

namespace aztables {

class SortedRows final : public RowSource {
 public:
  // `width`: cells of a row.
  SortedRows(std::unique_ptr<RowSource> source, size_t width)
      : source_(std::move(source)), width_(width) {}

  Result<bool> Next() override;
  Cell At(size_t place) const override { return rows_[place_ - 1].cells[place]; }
  bool remote() const override { return rows_[place_ - 1].remote; }
  bool conflicts() const override { return rows_[place_ - 1].conflicts; }
  int64_t asked_at() const override { return rows_[place_ - 1].asked_at; }
  void Collects() override { source_->Collects(); }
  void Finished() override { source_->Finished(); }

 private:
  struct Row {
    std::vector<Cell> cells;
    bool remote;
    bool conflicts;
    int64_t asked_at;
  };
  Status Load();
  Cell Keep(Cell cell);

  std::unique_ptr<RowSource> source_;
  size_t width_;
  std::vector<Row> rows_;
  std::deque<std::string> texts_;
  size_t place_ = 0;  // of the next row
  bool loaded_ = false;
};

}  // namespace aztables
