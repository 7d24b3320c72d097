// EntityPage: the entities of one response (a query page or a point read), parsed into flat cells.
// It holds one page at a time. The next page reuses all memory of the last one.
// Source: Microsoft, "Payload format for Table service operations". Recorded traffic confirms the
// shapes: non-ASCII characters may be \uXXXX. Selected properties that an entity lacks may be null.
// An annotation usually precedes its property.
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

// What to parse of each entity into cells.
struct Projection {
  std::vector<std::string> properties;  // remote names; each gets a cell
  bool entity = false;                  // the cell kEntity: all user properties as JSON
  bool as_received = false;             // kEntity in the order received, else by name (CompareKeys)

  bool operator==(const Projection& other) const = default;
};

class EntityPage {
 public:
  // Cells that every row has; the properties of the projection follow in its order.
  enum BuiltIn : size_t { kPartitionKey, kRowKey, kTimestamp, kEtag, kEntity, kFirstProperty };

  explicit EntityPage(Projection projection);
  ~EntityPage();
  EntityPage(const EntityPage&) = delete;
  EntityPage& operator=(const EntityPage&) = delete;

  // Reads the response of Query Entities: {"value":[{...},...]}.
  Status ReadQuery(std::string body);
  // Reads the response of a point read: {...}.
  Status ReadEntity(std::string body);
  // Drops the rows and the body; keeps the memory that the next page can reuse.
  void Clear();
  // For a page that waits: keeps only the memory that the rows from `begin` to before `end` need.
  // All cells of the others are NULL.
  void Shrink(size_t begin, size_t end);

  const Projection& projection() const;
  // The response that was read. REQUIRES: no Shrink()
  std::string_view body() const;
  size_t size() const;
  // REQUIRES: row < size(), column < kFirstProperty + number of properties
  const Cell& At(size_t row, size_t column) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aztables
