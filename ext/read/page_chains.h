// PageChains: the chains of pages of a scan that reads several windows of keys at once. The pages
// of a window wait here until they are shown. The scan decides which window to read next.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "read/page_reader.h"
#include "read/request_limit.h"
#include "table/key_span.h"

namespace aztables {

class PageChains {
 public:
  struct Page {
    std::unique_ptr<EntityPage> page = nullptr;
    RowsOfSpan rows = {};  // those in the window
    int64_t asked_at = 0;
    bool token = false;  // the page has a continuation token
  };
  using Open = std::function<std::unique_ptr<PageReader>()>;
  // What a page of a window shows. `page` is null if the service has no more entities.
  using Report = std::function<RowsOfSpan(size_t window, const EntityPage* page, bool token)>;
  // What receives pages that are no longer needed.
  using Reuse = std::function<void(std::unique_ptr<EntityPage>)>;

  // `most`: the most requests under way at once.
  PageChains(size_t most, Reuse reuse) : limit_(most), reuse_(std::move(reuse)) {}

  // Whether one more request may be under way, besides `more` others.
  bool MayAsk(size_t more);
  // Whether no request is under way.
  bool idle() const { return UnderWay() == 0; }
  // Requests the next page of the window. `open` makes its reader, if it has none. `alone`: there
  // is no other window so far. A reader that is alone requests the next page itself, as soon as the
  // response shows its token.
  Status Ask(size_t window, bool alone, const Open& open);
  // Waits for a page of any window. `next`: the window whose next page is shown first.
  Status Load(size_t next, const Report& report);

  // The pages of the window that were not shown, in order.
  std::deque<Page>& PagesOf(size_t window) { return chains_[window].pages; }
  // Forgets the window and its pages.
  void Drop(size_t window);
  void GiveBack(Page page);

 private:
  struct Chain {
    std::unique_ptr<PageReader> read = nullptr;
    std::deque<Page> pages = {};
    bool asked = false;   // a request is under way
    size_t number = 0;    // of that request
    bool slowed = false;  // the limit knows that it was refused
  };

  Result<size_t> WaitForOne();
  void Slow(Chain& chain);
  size_t UnderWay() const;

  RequestLimit limit_;
  Reuse reuse_;
  std::map<size_t, Chain> chains_;  // by window
  bool several_ = false;            // there were several windows
};

}  // namespace aztables
