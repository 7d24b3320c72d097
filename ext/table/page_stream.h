// PageStream: the pages of one query in order, by continuation tokens, with one page in memory at a
// time. NextPage() requests a page. Prefetch() may request it before that. Empty pages with a token
// are followed. No page requests more entities than the statement's budget still
// allows. If the budget allows none, a page requests one, and fails if it gets one.
//
// From the second page on, the next page is requested as soon as the head of a response has its
// token, so it arrives while this page is read. That is left out if the statement has limits, if
// the expected number of entities is near, for a service in this process, and if the caller reads
// single pages. Source: Microsoft, "Query timeout and pagination".
//
// Ownership: the client, the pool, the cache and the exchanges of others outlive the stream.
// Thread rule: the thread of the database connection.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "table/page_pool.h"
#include "table/response_cache.h"
#include "table/service_client.h"

namespace aztables {

class PageStream {
 public:
  // `first_page` is the number of entities that is probably enough; 0 if it is not known. The first
  // page requests so many. Every further page requests ten times more, up to the maximum of the
  // service.
  PageStream(const ServiceClient* client, EntityQuery query, Projection projection,
             size_t first_page, CallOptions options, PagePool* pool = nullptr);
  ~PageStream();
  PageStream(const PageStream&) = delete;
  PageStream& operator=(const PageStream&) = delete;

  // `may_ask` is called before every request. Its error becomes the error of the stream.
  void AskFirst(std::function<Status()> may_ask) { may_ask_ = std::move(may_ask); }
  // One entity of each partition is enough. So a page begins after the last partition of the
  // previous page, unless `not_so` has become true. The caller owns `not_so`.
  void SkipPartitions(const bool* not_so = nullptr) {
    skips_ = true;
    not_so_ = not_so;
  }
  // A request that one response may satisfy is looked up there first, and its response stored
  // there.
  void UseCache(ResponseCache* cache) { cache_ = cache; }

  // From now on NextPage() also returns pages without entities, and only Prefetch() requests a page
  // ahead.
  void ReadSinglePages() { single_ = true; }
  // After ReadSinglePages(): the page after the next one is requested too, as soon as a call of
  // this function or NextPage() finds its token in a response.
  void ReadOn(const Cancel& cancel);
  // Ends the requests under way. REQUIRES: NextPage() is not called after it
  void DropRequest() {
    under_way_ = {};
    ahead_ = {};
  }
  // Frees the memory of the page for other streams, until NextPage().
  void DropPage();

  // Starts to read the next page. NextPage() reports an error of this call. interrupted() reports
  // it at once if it was an interrupt.
  void Prefetch(const Cancel& cancel);
  const Status& interrupted() const { return interrupted_; }
  // Loads the next page that has entities; false at the end. The exchanges in `others`
  // continue meanwhile. REQUIRES: they do not include an exchange of this stream
  Result<bool> NextPage(const Cancel& cancel, std::span<Exchange* const> others = {});
  // Gives the page away.
  std::unique_ptr<EntityPage> TakePage();
  // When the current page was requested, by the clock given to Stamp().
  int64_t asked_at() const { return asked_at_; }
  // `clock` is read when a page is requested.
  void Stamp(std::function<int64_t()> clock) { clock_ = std::move(clock); }
  // The exchange that was started and not waited for; may be null.
  Exchange* under_way() const { return under_way_.exchange.get(); }
  // Empty before NextPage(). REQUIRES: not after DropPage() or TakePage()
  const EntityPage& page() const { return *page_; }
  const EntityQuery& query() const { return query_; }
  const CallOptions& options() const { return options_; }
  // Whether there are no more requests.
  bool at_end() const { return at_end_; }

 private:
  // A page that was requested.
  struct Asked {
    std::unique_ptr<Exchange> exchange;
    ContinuationToken from;
    int64_t at = 0;
  };

  Status MayAsk(const Cancel& cancel) const;
  size_t NextTop(size_t top) const;
  Asked Ask(size_t top, ContinuationToken from, bool waits);
  // `waits`: the caller waits for the page at once.
  Status Start(const Cancel& cancel, bool waits);
  bool MayReadAhead() const;
  // Requests the page after the one under way, if its response has the token.
  void ReadAhead(const Cancel& cancel);
  Status Wait(const Cancel& cancel, std::span<Exchange* const> others);
  // Whether the response to the next request may be stored in the cache, or may already be in it.
  bool MayBeCached() const;
  Result<bool> ReadCached(const std::string& address);
  // Continues at the next page.
  void MoveOn(ContinuationToken next);
  void SkipToNextPartition();
  void RememberPartition();
  std::string CacheAddress() const;

  const ServiceClient* client_;
  PagePool* pool_;
  Projection projection_;
  EntityQuery query_;
  CallOptions options_;
  std::function<Status()> may_ask_;
  ResponseCache* cache_ = nullptr;
  std::function<int64_t()> clock_;
  Asked under_way_;
  Asked ahead_;  // the page after it
  int64_t asked_at_ = 0;
  size_t pages_ = 0;                  // asked for by the caller
  size_t received_ = 0;               // entities of the pages before
  std::unique_ptr<EntityPage> page_;  // null after DropPage()
  PageSequence sequence_;
  size_t expected_;  // entities that are probably enough; 0: not known
  size_t top_;       // of the next page; 0: as many as the service gives
  ContinuationToken next_;
  bool single_ = false;
  bool reads_on_ = false;
  bool skips_ = false;
  std::optional<std::string> last_partition_;  // of a page that was dropped or taken, if skips_
  const bool* not_so_ = nullptr;
  int64_t generation_ = 0;  // of the cache, when the exchange under way was started
  Status interrupted_;
  size_t skip_at_ = 0;  // index + 1 of the skipping comparison in query_.filter; 0: none yet
  bool at_end_ = false;
};

}  // namespace aztables
