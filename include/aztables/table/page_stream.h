// PageStream: the pages of one query, one after another over continuation tokens, one page in
// memory at a time. A page is asked for only when NextPage() is called. Empty pages with a token
// are followed. No page asks for more entities than the statement's budget has left. Source:
// Microsoft, "Query timeout and pagination".
//
// Ownership: the client outlives the stream.
// Thread rule: the thread of the database connection.
#pragma once

#include <functional>
#include <utility>

#include "aztables/table/service_client.h"

namespace aztables {

class PageStream {
 public:
  // `first_page` is how many entities are probably enough, 0 if that is not known: the first page
  // asks for so many and every further one for ten times more, up to what the service gives.
  PageStream(const ServiceClient* client, EntityQuery query, Projection projection,
             size_t first_page, CallOptions options);

  // `may_ask` is asked before every request; its error is the stream's.
  void AskFirst(std::function<Status()> may_ask) { may_ask_ = std::move(may_ask); }

  // Loads the next page that has entities; false at the end.
  Result<bool> NextPage(const Cancel& cancel);
  const EntityPage& page() const { return page_; }
  // Whether no request comes any more.
  bool at_end() const { return at_end_; }

 private:
  Status MayAsk(const Cancel& cancel) const;
  size_t NextTop() const;

  const ServiceClient* client_;
  EntityQuery query_;
  CallOptions options_;
  std::function<Status()> may_ask_;
  EntityPage page_;
  size_t top_;  // of the next page; 0: as many as the service gives
  ContinuationToken next_;
  bool at_end_ = false;
};

}  // namespace aztables
