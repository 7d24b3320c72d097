// PageSource: the pages of one query, as an OrderedRead takes them: GuardedRead in the module,
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
  // The sequence number of the log's next write when the page was asked for.
  virtual int64_t asked_at() const = 0;
  // Starts to read the first page. Only an interrupt is an error.
  virtual Status Prefetch() = 0;
  // The rows are collected by a statement that will change them; and there are no more.
  virtual void Collects() = 0;
  virtual void Finished() = 0;
};

}  // namespace aztables
