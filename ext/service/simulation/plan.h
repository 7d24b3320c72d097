// SimulationPlan: what a simulation adds to the service: latency, rates, ranges and faults.
//
// The text of a plan is a list of items, separated by "," with blanks around it, without ";":
//
//   seed=7, latency=20, tail=500@1%, ranges=10, 503:2@3, reset-after@*10/egts, move:2000@5%/writes
//
// A setting is NAME=VALUE:
//   seed=N            the seed of all chance. Default: 1
//   latency=MS        each request waits this long after its work, before its response
//   tail=MS@P%        P % of the requests wait MS instead
//   partition_rate=N  entities a second that a partition carries; then 503. The service: 2000
//   account_rate=N    the same for the account. The service: 20000
//   ranges=N          about every N-th PartitionKey begins a range, at which a page ends
//   scan_time=MS      a page ends after this time instead of 5 s
//   scan_rows=N       a page ends after looking at N entities
//   tokens=partition  no NextRowKey if the next page begins with the first entity of a partition
//
// A fault is NAME[:ARGUMENT]@WHEN[/ONLY]. "-after" in its name means that the request is carried
// out:
//   refuse[:MS]                         no connection for MS (300)
//   reset-before, reset-after           the connection is reset
//   stall-before[:MS], stall-after[:MS] no byte for MS; without MS, until the client gives up
//   truncate[:BYTES|:half]              the response ends after BYTES of its body (half); after the
//                                       work
//   STATUS[-after][:RETRY]              408, 429, 500, 502, 503 or 504. RETRY is Retry-After: 2
//                                       sends "2", +2 sends a date in 2 s
//   html, html-after                    a page of HTML with the status 200
//   bad-json, bad-batch                 a body that ends in its middle; after the work
//   move[:MS]                           the range of the request's partition moves: 503 for MS
//                                       (3000). Without ranges: the partition
// WHEN: K: the K-th request, from 1. *K: each K-th. P%: by chance, such as 0.5%.
// ONLY: reads, writes or egts: then only these are counted. bad-batch counts EGTs only, and move
// only requests that name a partition. If several faults hit a request, the first of the plan wins.
//
// Errors: one sentence with the number of the item. It never repeats the item, which may be a
// secret in the wrong place.
// Thread rule: values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "service/handlers/page_rules.h"

namespace aztables {

struct SimulatedFault {
  enum class Kind : uint8_t {
    kRefuse,
    kReset,
    kStall,
    kTruncate,
    kStatus,
    kHtml,
    kBadJson,
    kBadBatch,
    kMove,
  };
  enum class Only : uint8_t { kAll, kReads, kWrites, kEgts };

  Kind kind = Kind::kReset;
  bool after = false;                             // the request is carried out
  int status = 0;                                 // of kStatus
  std::optional<std::chrono::milliseconds> time;  // of kRefuse, kStall, kMove
  std::optional<uint64_t> kept;                   // of kTruncate: bytes of the body; none: half
  std::optional<int64_t> retry_after;             // of kStatus, in seconds
  bool retry_date = false;                        // Retry-After is a date
  uint64_t nth = 0;                               // 0: by chance
  bool each = false;                              // each nth request
  double share = 0;                               // by chance: from 0 to 1
  Only only = Only::kAll;
};

struct SimulationPlan {
  uint64_t seed = 1;
  std::chrono::milliseconds latency{0};
  std::chrono::milliseconds tail{0};
  double tail_share = 0;      // from 0 to 1
  double partition_rate = 0;  // entities a second; 0: no limit
  double account_rate = 0;
  PageRules pages;
  std::vector<SimulatedFault> faults;
};

Result<SimulationPlan> ParsePlan(std::string_view text);

}  // namespace aztables
