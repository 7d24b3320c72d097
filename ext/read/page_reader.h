// PageReader: the rows of one query in the service's order, page by page. BudgetedPageReader
// implements it in the module, a script in tests.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <span>

#include "read/row_stream.h"

namespace aztables {

class PageReader : public RowStream {
 public:
  // Loads the next page that has entities; false at the end.
  virtual Result<bool> NextPage() = 0;
  // Empty before NextPage(). REQUIRES: not after DropPage()
  virtual const EntityPage& page() const = 0;
  // Whether the page is the last one.
  virtual bool at_end() const = 0;
  // From now on NextPage() also returns pages without entities, and only Prefetch() requests a page
  // ahead: the next one.
  virtual void ReadSinglePages() {}
  // After ReadSinglePages(): the page after the next one is requested too: at once if the next one
  // came, or else by NextPage().
  virtual void ReadOn() {}
  // Ends the request under way, whose page is not needed.
  virtual void DropRequest() {}
  // Frees the memory of the page for other readers, until NextPage().
  virtual void DropPage() {}
  // Gives the page away.
  virtual std::unique_ptr<EntityPage> TakePage() = 0;
  // Waits until one of the readers, which include this one, can load its next page without waiting.
  // Returns its index.
  virtual Result<size_t> WaitForOne(std::span<PageReader* const> readers) {
    return static_cast<void>(readers), 0;
  }
  // Whether NextPage() would wait for the request under way.
  virtual bool waits() const { return false; }
  // Whether the service was too busy for an attempt of the request under way.
  virtual bool throttled() const { return false; }

  Result<bool> Next() final {
    if (passed_ == rows_) {
      passed_ = rows_ = 0;
      auto more = NextPage();
      if (!more.ok() || !*more) return more;
      rows_ = page().size();
    }
    ++passed_;
    return true;
  }
  Cell At(size_t place) const final { return page().At(passed_ - 1, place); }

 private:
  size_t rows_ = 0;    // of the page
  size_t passed_ = 0;  // of them, the current one included
};

}  // namespace aztables
