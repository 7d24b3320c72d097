// SortedRows: all rows of another source, sorted by RowKey and then PartitionKey. It serves the one
// case in which the plan promised an order that no request provides. A constraint compares a key
// with one text, but the bound value is a number or a text with U+FFFD. Several texts may equal
// such a value.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "read/row_stream.h"

namespace aztables {

class SortedRows final : public RowStream {
 public:
  // `width`: cells of a row.
  SortedRows(std::unique_ptr<RowStream> source, size_t width)
      : source_(std::move(source)), width_(width) {}

  Result<bool> Next() override;
  Cell At(size_t place) const override { return rows_[place_ - 1].cells[place]; }
  bool remote() const override { return rows_[place_ - 1].remote; }
  bool conflicts() const override { return rows_[place_ - 1].conflicts; }
  int64_t asked_at() const override { return rows_[place_ - 1].asked_at; }

 private:
  struct Row {
    std::vector<Cell> cells;
    bool remote;
    bool conflicts;
    int64_t asked_at;
  };
  Status Load();
  Cell Keep(Cell cell);

  std::unique_ptr<RowStream> source_;
  size_t width_;
  std::vector<Row> rows_;
  std::deque<std::string> texts_;
  size_t place_ = 0;  // of the next row
  bool loaded_ = false;
};

}  // namespace aztables
