// PageStream: the pages of one query, one after another over continuation tokens, one page in
// memory at a time. A page is asked for when NextPage() is called, the first one before that where
// Prefetch() was. Empty pages with a token are followed. No page asks for more entities than the
// statement's budget has left. Source: Microsoft, "Query timeout and pagination".
//
// Where the service does not take the comparisons of properties that a filter has (`any`), the page
// is asked for again without them: they only spare entities.
//
// Ownership: the client, the cache and what is beside outlive the stream.
// Thread rule: the thread of the database connection.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "table/answer_cache.h"
#include "table/service_client.h"

namespace aztables {

class PageStream {
 public:
  // `first_page` is how many entities are probably enough, 0 if that is not known: the first page
  // asks for so many and every further one for ten times more, up to what the service gives.
  PageStream(const ServiceClient* client, EntityQuery query, Projection projection,
             size_t first_page, CallOptions options);

  // `may_ask` is asked before every request; its error is the stream's.
  void AskFirst(std::function<Status()> may_ask) { may_ask_ = std::move(may_ask); }
  // One entity of each partition is enough: a page begins behind the last partition of the one
  // before, unless `not_so` has become true, which the caller keeps.
  void SkipPartitions(const bool* not_so = nullptr) {
    skips_ = true;
    not_so_ = not_so;
  }
  // What one answer may be all of is looked for there first, and put there.
  void UseCache(AnswerCache* cache) { cache_ = cache; }

  // Starts to read the first page. Whatever keeps it from that is said by NextPage(), but
  // interrupted() says where it was an interrupt.
  void Prefetch(const Cancel& cancel);
  const Status& interrupted() const { return interrupted_; }
  // Loads the next page that has entities; false at the end. What is under way for others,
  // `beside`, goes on meanwhile. REQUIRES: nothing of this stream is among it
  Result<bool> NextPage(const Cancel& cancel, std::span<Exchange* const> beside = {});
  // What has been started and not been waited for; may be null.
  Exchange* under_way() const { return under_way_.get(); }
  const EntityPage& page() const { return page_; }
  const EntityQuery& query() const { return query_; }
  const CallOptions& options() const { return options_; }
  // Whether no request comes any more.
  bool at_end() const { return at_end_; }
  // Whether the service has refused the comparisons of properties.
  bool filter_refused() const { return filter_refused_; }

 private:
  Status MayAsk(const Cancel& cancel) const;
  size_t NextTop() const;
  // `again`: what was asked for is asked for in another way.
  Status Start(const Cancel& cancel, bool again);
  Status Wait(const Cancel& cancel, std::span<Exchange* const> beside);
  // Whether the answer to what is asked for next may be kept, or have been.
  bool MayBeCached() const;
  Result<bool> ReadCached();
  bool MayDoWithoutFilter(const Status& status) const;
  // Where the next page begins.
  void MoveOn(ContinuationToken next);
  void SkipToNextPartition();
  std::string CacheAddress() const;

  const ServiceClient* client_;
  EntityQuery query_;
  CallOptions options_;
  std::function<Status()> may_ask_;
  AnswerCache* cache_ = nullptr;
  std::unique_ptr<Exchange> under_way_;
  EntityPage page_;
  PageSequence sequence_;
  size_t top_;  // of the next page; 0: as many as the service gives
  ContinuationToken next_;
  bool skips_ = false;
  const bool* not_so_ = nullptr;
  int64_t generation_ = 0;  // of the cache, when what is under way was asked for
  Status interrupted_;
  size_t skip_at_ = 0;  // place of the comparison that skips, in query_.filter; 0: none yet
  bool filter_refused_ = false;
  bool at_end_ = false;
};

}  // namespace aztables
