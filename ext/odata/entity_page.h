// EntityPage: the entities of one answer (a query page or a point read), parsed into flat cells.
// One page at a time is held; reading the next one reuses all memory of the last.
// Source: Microsoft, "Payload format for Table service operations"; shapes confirmed by recorded
// traffic: non-ASCII characters may come as \uXXXX, selected properties that an entity lacks as
// null, an annotation usually stands before its property.
//
// Ownership: cells point into the page and die with it or with the next Read or Clear.
// Errors: a body that is not JSON, or not of the service's shape, is an error and leaves no rows.
// Thread rule: one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/edm.h"

namespace aztables {

// What of each entity is wanted as cells.
struct Projection {
  std::vector<std::string> properties;  // remote names; each gets a cell
  bool entity = false;                  // the cell kEntity: all user properties as JSON
};

class EntityPage {
 public:
  // Cells that every row has; the properties of the projection follow in its order.
  enum BuiltIn : size_t { kPartitionKey, kRowKey, kTimestamp, kEtag, kEntity, kFirstProperty };

  explicit EntityPage(Projection projection);
  ~EntityPage();
  EntityPage(const EntityPage&) = delete;
  EntityPage& operator=(const EntityPage&) = delete;

  // The answer of Query Entities: {"value":[{...},...]}.
  Status ReadQuery(std::string body);
  // The answer of a point read: {...}.
  Status ReadEntity(std::string body);
  // Drops the rows and the body; what can be used again for the next page is kept.
  void Clear();

  size_t size() const;
  // REQUIRES: row < size(), column < kFirstProperty + number of properties
  const Cell& At(size_t row, size_t column) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aztables
