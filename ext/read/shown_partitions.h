// ShownPartitions: rows for DISTINCT whose partitions come in the service's order. SQLite sees
// U+FFFD in place of a lone surrogate, so it may see one text for several partitions. Their rows do
// not follow each other, and only those of the first one are returned.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "model/key.h"
#include "read/row_stream.h"

namespace aztables {

class ShownPartitions final : public RowStream {
 public:
  // `all`: every row is needed. Then a second partition with the same text is an error. The caller
  // owns it.
  ShownPartitions(std::unique_ptr<RowStream> source, const bool* all)
      : source_(std::move(source)), all_(all) {}

  Result<bool> Next() override;
  Cell At(size_t place) const override { return source_->At(place); }
  int64_t asked_at() const override { return source_->asked_at(); }
  bool remote() const override { return source_->remote(); }
  bool conflicts() const override { return source_->conflicts(); }

 private:
  struct AsShown {
    bool operator()(const std::string& a, const std::string& b) const {
      return CompareAsShown(a, b) < 0;
    }
  };

  std::unique_ptr<RowStream> source_;
  const bool* all_;
  std::set<std::string, AsShown> seen_;  // only texts with U+FFFD
  std::string last_;
};

}  // namespace aztables
