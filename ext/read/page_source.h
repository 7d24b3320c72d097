// PageSource: the pages of one query, for an OrderedRead. GuardedRead implements it in the module,
// a script in tests.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "odata/entity_page.h"

namespace aztables {

class PageSource {
 public:
  virtual ~PageSource() = default;
  // Loads the next page that has entities; false at the end.
  virtual Result<bool> NextPage() = 0;
  virtual const EntityPage& page() const = 0;
  // Whether the page is the last one.
  virtual bool at_end() const = 0;
  // The sequence number of the log's next write when the page was requested.
  virtual int64_t asked_at() const = 0;
  // Starts to read the first page. The only error is an interrupt.
  virtual Status Prefetch() = 0;
  // Collects(): a statement collects the rows to change them. Finished(): there are no more rows.
  virtual void Collects() = 0;
  virtual void Finished() = 0;
};

}  // namespace aztables
