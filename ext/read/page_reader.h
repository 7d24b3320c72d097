// PageReader: the rows of one query in the service's order, page by page. BudgetedPageReader
// implements it in the module, a script in tests.
//
// Thread rule: the thread of the database connection.
#pragma once

#include "read/row_stream.h"

namespace aztables {

class PageReader : public RowStream {
 public:
  // Loads the next page that has entities; false at the end.
  virtual Result<bool> NextPage() = 0;
  virtual const EntityPage& page() const = 0;
  // Whether the page is the last one.
  virtual bool at_end() const = 0;

  Result<bool> Next() final {
    if (passed_ == page().size()) {
      passed_ = 0;
      auto more = NextPage();
      if (!more.ok() || !*more) return more;
    }
    ++passed_;
    return true;
  }
  Cell At(size_t place) const final { return page().At(passed_ - 1, place); }

 private:
  size_t passed_ = 0;  // rows of the page, the current one included
};

}  // namespace aztables
