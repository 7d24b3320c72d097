// PagePool: pages that no read uses any more, for the next reads of the same table. A point read of
// a join would else allocate a parser, its cells and the names of all properties for each row.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "odata/entity_page.h"

namespace aztables {

class PagePool {
 public:
  // Memory of fewer bytes is not worth reusing.
  static constexpr size_t kUseful = 500;

  // An empty page of this projection.
  std::unique_ptr<EntityPage> Take(const Projection& projection);
  void Return(std::unique_ptr<EntityPage> page);
  // Memory for a response, for another response of the same table.
  std::string TakeMemory();
  void ReturnMemory(std::string memory);

 private:
  static constexpr size_t kMost = 4;  // each may keep a megabyte
  std::vector<std::unique_ptr<EntityPage>> pages_;
  std::vector<std::string> memory_;
};

}  // namespace aztables
