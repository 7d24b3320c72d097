// Budget: the limits of one statement for requests (every attempt counts, because each is billed),
// entities and time. Everything that a statement does shares its spending. The limits are those of
// the table that makes the request, so the strictest table of a statement ends it.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/status.h"

namespace aztables {

// What one statement has used so far.
struct Spending {
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  int64_t requests = 0;
  int64_t entities = 0;       // read or written
  int64_t scan_requests = 0;  // allowed although scan=deny: see ScanGuard in vtab/scan/read_rules.h
};

struct Limits {
  std::optional<int64_t> max_requests;
  std::optional<int64_t> max_entities;
  std::optional<std::chrono::milliseconds> max_time;
};

// An empty Budget (without spending) limits and counts nothing.
struct Budget {
  std::shared_ptr<Spending> spending;
  Limits limits;

  // Counts one attempt. kBudget if the attempt is not allowed.
  Status TakeRequest() const;
  // OK until max_time has passed.
  Status CheckTime() const;
  // The number of entities that are still allowed; nothing if it is not limited.
  std::optional<int64_t> EntitiesLeft() const;
  Status CheckEntities() const;  // kBudget if more entities were counted than are allowed
  // kBudget. REQUIRES: max_entities and spending are set
  Status EntitiesUsedUp() const;
  void CountEntities(int64_t count) const;

  // kBudget if the limits do not allow `requests` and `entities` more.
  Status CheckFor(int64_t requests, int64_t entities) const;
};

}  // namespace aztables
