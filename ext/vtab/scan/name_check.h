// NameCheck: finds declared columns whose names differ from a property in case only. A page with
// $select never shows such a property, so one whole entity must be read.
//
// Ownership: the cursor outlives it.
// Thread rule: the thread of the database connection.
#pragma once

#include <utility>
#include <vector>

#include "base/status.h"
#include "model/schema.h"
#include "table/page_stream.h"

namespace aztables {

struct Cursor;

class NameCheck {
 public:
  // For a read by the cursor: of the declared columns that it shows, those that no known entity
  // has.
  explicit NameCheck(const Cursor& cursor);

  bool empty() const { return expected_.empty(); }
  // Checks the names with the first page of the read. The error of a wrong name is returned here
  // only if the page has no row that will return it.
  Status Check(const PageStream& first) const;

 private:
  // Reads the names of whole entities: from the page, if it has them, else by one more request.
  Status Look(const PageStream& first) const;
  // Requests an entity that has the column's property, once.
  Status Seek(const Column& column, const PageStream& first) const;
  // Fills `page` with whole entities of at most one request; with none if the budget is used up.
  Status AskForOne(const EntityQuery& query, const CallOptions& call, EntityPage& page) const;

  const Cursor& cursor_;
  std::vector<std::pair<int, size_t>> expected_;  // columns, and the places of their cells
};

}  // namespace aztables
