// Budget: how much one statement may ask of the service: requests (every attempt, each is billed),
// entities and time. What a statement has spent is shared by everything it does; the limits are
// those of the table that asks, so the strictest table of a statement ends it.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/status.h"

namespace aztables {

// What one statement has asked for so far.
struct Spending {
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  int64_t requests = 0;
  int64_t entities = 0;       // read or written
  int64_t scan_requests = 0;  // that were allowed although scan=deny: see vtab/scan/scan_guard.h
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

  // Counts one attempt, or says that it may not be made (kBudget).
  Status TakeRequest() const;
  // OK until max_time has passed.
  Status CheckTime() const;
  // How many entities may still come; nothing if that is not limited.
  std::optional<int64_t> EntitiesLeft() const;
  Status CheckEntities() const;  // kBudget if none may come any more
  void CountEntities(int64_t count) const;

  // kBudget if so many more requests and entities cannot be had.
  Status CheckFor(int64_t requests, int64_t entities) const;
};

}  // namespace aztables
