// SortedRows: all rows of another source, sorted by their keys. It serves the cases in which the
// plan promised an order that no request provides:
// - A constraint compares a key with one text, but the bound value is a number or a text with
//   U+FFFD. Several texts may equal such a value.
// - A read from the last row to the first has keys that SQLite and the service sort differently.
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
  // The cells of the key that counts first and of the other one.
  struct Order {
    size_t first;
    size_t second;
    bool descending;
  };
  // `width`: cells of a row.
  SortedRows(std::unique_ptr<RowStream> source, size_t width, Order order)
      : source_(std::move(source)), width_(width), order_(order) {}

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
  Order order_;
  std::vector<Row> rows_;
  std::deque<std::string> texts_;
  size_t place_ = 0;  // of the next row
  bool loaded_ = false;
};

}  // namespace aztables
