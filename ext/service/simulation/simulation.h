// Simulation: decides what each request meets, by a plan: latency, throttling, moving partitions
// and faults. The server and SimulatedTransport carry the decisions out. The handler of queries
// applies the rules for pages itself (SimulationPlan::pages).
//
// The k-th request meets the same in each run: chance is a hash of the seed, the item of the plan
// and k. Rates and moves also depend on the clock.
// Thread rule: any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "http/message.h"
#include "service/simulation/plan.h"
#include "service/simulation/request_target.h"
#include "service/storage_error.h"

namespace aztables {

// What a request meets.
struct Encounter {
  RequestTarget target;
  const SimulatedFault* fault = nullptr;  // that hits it; the simulation owns it
  bool carried_out = true;                // whether the service gets it
  const StorageError* refusal = nullptr;  // sent at once: its partition moves, or a rate is used up
  std::chrono::milliseconds latency{0};   // between the work and the response

  bool Meets(SimulatedFault::Kind kind) const { return fault && fault->kind == kind; }
};

class Simulation {
 public:
  static constexpr std::chrono::milliseconds kRefusal{300};  // of kRefuse, by default
  static constexpr std::chrono::milliseconds kMove{3000};

  // The stored PartitionKey with which the range of target.partition begins; "" for the first
  // range.
  using RangeStart = std::function<std::string(const RequestTarget& target)>;

  // `serves` is that of the service (address.h). Without `range_start`, or without ranges in the
  // plan, partitions move one by one. `clock` outlives the simulation.
  Simulation(SimulationPlan plan, ServesAccount serves, RangeStart range_start,
             const Clock* clock = &Clock::System());

  // Counts the request and decides. Call this once for each request, in the order of arrival.
  Encounter Meet(const Request& request);
  // Makes the response that the client gets from that of the service, which is empty if the request
  // was not carried out.
  void Complete(const Encounter& encounter, Response& response);
  // The number of bytes that kTruncate keeps of a body.
  static size_t Kept(const Encounter& encounter, const Response& response);

 private:
  struct Bucket {
    double tokens = 0;
    int64_t since_ms = 0;
  };
  struct Move {
    std::string account;
    std::string table;
    std::string partition;  // the first of its range
    int64_t until_ms = 0;
  };

  void Count(Encounter& encounter);
  bool IsMoving(const Encounter& encounter);
  const StorageError* RateError(const RequestTarget& target);
  void Charge(const RequestTarget& target, int64_t entities);
  Bucket& Fill(const std::string& name, double rate, int64_t now_ms);
  Response StatusResponse(const RequestTarget& target, const SimulatedFault& fault) const;

  const SimulationPlan plan_;
  const ServesAccount serves_;
  const RangeStart range_start_;
  const Clock* const clock_;
  const bool moves_;  // whether the plan has moves

  std::mutex mutex_;
  // Guarded by mutex_:
  uint64_t requests_ = 0;
  std::vector<uint64_t> counts_;  // of each fault
  std::unordered_map<std::string, Bucket> buckets_;
  std::vector<Move> moving_;
};

}  // namespace aztables
