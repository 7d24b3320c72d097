// PagePool: pages that no read uses any more, for the next reads of the same table. A point read of
// a join would else allocate a parser, its cells and the names of all properties for each row.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "odata/entity_page.h"

namespace aztables {

class PagePool {
 public:
  // An empty page of this projection.
  std::unique_ptr<EntityPage> Take(const Projection& projection);
  // Keeps the memory of a page of an ordinary size.
  void Return(std::unique_ptr<EntityPage> page) noexcept;

 private:
  static constexpr size_t kMost = 4;                     // each may keep a few megabytes
  static constexpr size_t kMostBytes = size_t{8} << 20;  // of a body: twice the service's largest
  std::array<std::unique_ptr<EntityPage>, kMost> pages_;
  size_t next_ = 0;  // the place of the next page that is returned
};

}  // namespace aztables
