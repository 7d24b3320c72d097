// PageFile: pages of a scan that wait on the disk, because they came in another order than they are
// shown in. They are shown from the last one to the first.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "platform/file.h"
#include "read/page_chains.h"

namespace aztables {

class PageFile {
 public:
  static Result<std::unique_ptr<PageFile>> Make();

  // Keeps these rows of the page, which are in the order of keys. No row of another page is between
  // them. REQUIRES: there are rows; all pages have one projection
  Status Add(const EntityPage& page, RowsOfSpan rows, int64_t asked_at);
  // Every page was added.
  void Sort();
  bool empty() const { return pages_.empty(); }
  // Takes the last page. REQUIRES: Sort(), and not empty
  Result<PageChains::Page> TakeLast();

 private:
  struct Kept {
    EntityKey first;
    RowsOfSpan rows;
    int64_t asked_at;
    int64_t at;  // in the file
    size_t size;
  };

  explicit PageFile(std::unique_ptr<TempFile> file) : file_(std::move(file)) {}

  std::unique_ptr<TempFile> file_;
  Projection projection_;
  std::vector<Kept> pages_;
};

}  // namespace aztables
