// The decisions of a simulation: see simulation.h.
#include "service/simulation/simulation.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "service/store/stored_key.h"

namespace aztables {
namespace {

using std::chrono::milliseconds;
using Kind = SimulatedFault::Kind;
using Only = SimulatedFault::Only;

constexpr uint64_t kTailItem = std::numeric_limits<uint64_t>::max();
constexpr size_t kMostBuckets = 100'000;

// From 0 to below 1.
double Chance(uint64_t seed, uint64_t item, uint64_t number) {
  constexpr int kBits = 53;  // of a double
  const uint64_t hash =
      PageRules::Mixed(number + PageRules::Mixed(item + PageRules::Mixed(seed + 1)));
  return static_cast<double>(hash >> (64 - kBits)) / static_cast<double>(uint64_t{1} << kBits);
}

bool NamesPartition(const RequestTarget& target, bool has_ranges) {
  if (target.table.empty() || target.keys.empty()) return false;
  return target.partition || (target.is_query && has_ranges);
}

bool Counts(const SimulatedFault& fault, const RequestTarget& target, bool has_ranges) {
  if (fault.kind == Kind::kMove && !NamesPartition(target, has_ranges)) return false;
  switch (fault.only) {
    case Only::kReads:
      return target.is_read;
    case Only::kWrites:
      return !target.is_read;
    case Only::kEgts:
      return target.is_egt;
    default:
      return true;
  }
}

bool Hits(const SimulatedFault& fault, uint64_t seed, uint64_t item, uint64_t number) {
  if (fault.nth == 0) return Chance(seed, item, number) < fault.share;
  return fault.each ? number % fault.nth == 0 : number == fault.nth;
}

bool Touches(const std::vector<KeyRange>& keys, const std::string& partition) {
  return !Intersect(keys, {{partition, ""}, {KeySuccessor(partition), ""}}).empty();
}

// The bucket of a partition. That of an account has the account's name.
std::string BucketName(const RequestTarget& target) {
  return target.account + "/" + target.table + "/" + *target.partition;
}

// The page of a front end or of a proxy.
Response HtmlResponse(int status, const std::string& title) {
  Response response;
  response.status = status;
  response.headers.Add("Content-Type", "text/html");
  response.body =
      "<html><head><title>" + title + "</title></head><body><h1>" + title + "</h1></body></html>\n";
  return response;
}

std::string TitleOf(int status) {
  switch (status) {
    case 408:
      return "408 Request Timeout";
    case 429:
      return "429 Too Many Requests";
    case 502:
      return "502 Bad Gateway";
    default:
      return "504 Gateway Timeout";
  }
}

void BreakJson(Response& response) {
  const std::string* const type = response.headers.Find("Content-Type");
  if (type != nullptr && type->starts_with("application/json") && !response.body.empty()) {
    response.body.resize(response.body.size() / 2);
    return;
  }
  response.status = 200;
  response.headers.Set("Content-Type", "application/json");
  response.body = "{\"odata.error\":";
}

}  // namespace

Simulation::Simulation(SimulationPlan plan, ServesAccount serves, RangeStart range_start,
                       const Clock* clock)
    : plan_(std::move(plan)),
      serves_(std::move(serves)),
      range_start_(plan_.pages.ranges > 0 ? std::move(range_start) : nullptr),
      clock_(clock),
      moves_(std::any_of(plan_.faults.begin(), plan_.faults.end(),
                         [](const SimulatedFault& fault) { return fault.kind == Kind::kMove; })),
      counts_(plan_.faults.size()) {}

Encounter Simulation::Meet(const Request& request) {
  Encounter encounter;
  encounter.target = ReadTarget(request, serves_, clock_->NowMs());
  Count(encounter);
  if (moves_ && IsMoving(encounter)) {
    encounter.refusal = &errors::kCannotReceive;
  } else if (!encounter.fault || encounter.fault->after || encounter.Meets(Kind::kStall)) {
    encounter.refusal = RateError(encounter.target);
  }
  if (encounter.refusal != nullptr) {
    encounter.fault = nullptr;
    encounter.carried_out = false;
    encounter.latency = milliseconds(0);
  } else if (encounter.fault) {
    encounter.carried_out =
        encounter.fault->after || (encounter.Meets(Kind::kStall) && encounter.fault->time);
  }
  if (encounter.carried_out) Charge(encounter.target, encounter.target.entities);
  return encounter;
}

// Counts the request in all items of the plan, so that each item sees the same requests.
void Simulation::Count(Encounter& encounter) {
  const std::lock_guard lock(mutex_);
  const uint64_t number = ++requests_;
  encounter.latency =
      Chance(plan_.seed, kTailItem, number) < plan_.tail_share ? plan_.tail : plan_.latency;
  for (size_t item = 0; item < plan_.faults.size(); ++item) {
    const SimulatedFault& fault = plan_.faults[item];
    if (!Counts(fault, encounter.target, range_start_ != nullptr)) continue;
    if (Hits(fault, plan_.seed, item, ++counts_[item]) && !encounter.fault) {
      encounter.fault = &fault;
    }
  }
}

// Whether the request's partition moves. A kMove that hits the request begins a move.
bool Simulation::IsMoving(const Encounter& encounter) {
  const RequestTarget& target = encounter.target;
  if (target.table.empty() || target.keys.empty()) return false;
  const bool begins = encounter.Meets(Kind::kMove);
  const int64_t now = clock_->NowMs();
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(moving_, [now](const Move& move) { return now >= move.until_ms; });
    if (moving_.empty() && !begins) return false;
  }
  const std::string start =
      range_start_ ? range_start_(target) : target.partition.value_or(std::string());
  const std::lock_guard lock(mutex_);
  if (begins) {
    const int64_t until = now + encounter.fault->time.value_or(kMove).count();
    moving_.push_back({target.account, target.table, start, until});
    return true;
  }
  return std::any_of(moving_.begin(), moving_.end(), [&](const Move& move) {
    return move.account == target.account && move.table == target.table &&
           (range_start_ ? move.partition == start : Touches(target.keys, move.partition));
  });
}

// The bucket with the tokens of this moment; at most those of one second.
Simulation::Bucket& Simulation::Fill(const std::string& name, double rate, int64_t now_ms) {
  constexpr double kSecond = 1000;
  const auto [place, is_new] = buckets_.try_emplace(name, Bucket{rate, now_ms});
  Bucket& bucket = place->second;
  const double passed = static_cast<double>(std::max<int64_t>(now_ms - bucket.since_ms, 0));
  bucket.tokens = std::min(rate, bucket.tokens + passed * rate / kSecond);
  bucket.since_ms = now_ms;
  return bucket;
}

// A request may take more tokens than there are. The requests after it then wait for them.
const StorageError* Simulation::RateError(const RequestTarget& target) {
  if (target.table.empty()) return nullptr;
  const int64_t now = clock_->NowMs();
  const std::lock_guard lock(mutex_);
  if (plan_.account_rate > 0 && Fill(target.account, plan_.account_rate, now).tokens < 1) {
    return &errors::kOverAccountLimit;
  }
  if (plan_.partition_rate == 0 || !target.partition) return nullptr;
  const Bucket& bucket = Fill(BucketName(target), plan_.partition_rate, now);
  return bucket.tokens < 1 ? &errors::kCannotReceive : nullptr;
}

void Simulation::Charge(const RequestTarget& target, int64_t entities) {
  if (target.table.empty() || entities <= 0) return;
  const int64_t now = clock_->NowMs();
  const auto amount = static_cast<double>(entities);
  const std::lock_guard lock(mutex_);
  if (buckets_.size() >= kMostBuckets) {
    // All partitions begin anew. Few of them were used within the last second.
    std::erase_if(buckets_, [&](const auto& entry) { return entry.first != target.account; });
  }
  if (plan_.account_rate > 0) Fill(target.account, plan_.account_rate, now).tokens -= amount;
  if (plan_.partition_rate > 0 && target.partition) {
    Fill(BucketName(target), plan_.partition_rate, now).tokens -= amount;
  }
}

Response Simulation::StatusResponse(const RequestTarget& target,
                                    const SimulatedFault& fault) const {
  const int64_t now = clock_->NowMs();
  Response response =
      fault.status == 503   ? ErrorResponse(target.frame, ToStatus(errors::kCannotReceive))
      : fault.status == 500 ? ErrorResponse(target.frame, ToStatus(errors::kOperationTimedOut))
                            : HtmlResponse(fault.status, TitleOf(fault.status));
  if (fault.retry_after && fault.retry_date) {
    response.headers.Set("Date", HttpDate(now));
    response.headers.Add("Retry-After", HttpDate(now + *fault.retry_after * 1000));
  } else if (fault.retry_after) {
    response.headers.Add("Retry-After", std::to_string(*fault.retry_after));
  }
  return response;
}

void Simulation::Complete(const Encounter& encounter, Response& response) {
  const RequestTarget& target = encounter.target;
  if (encounter.refusal != nullptr) {
    response = ErrorResponse(target.frame, ToStatus(*encounter.refusal));
    return;
  }
  const bool has_rates = plan_.partition_rate > 0 || plan_.account_rate > 0;
  if (has_rates && encounter.carried_out && target.is_query && response.status == 200) {
    Charge(target, EntitiesIn(response.body) - target.entities);
  }
  if (!encounter.fault) return;
  switch (encounter.fault->kind) {
    case Kind::kStatus:
      response = StatusResponse(target, *encounter.fault);
      return;
    case Kind::kHtml:
      response = HtmlResponse(200, "Welcome");
      return;
    case Kind::kBadJson:
      BreakJson(response);
      return;
    case Kind::kBadBatch:
      response.body.resize(response.body.size() / 2);
      return;
    default:
      return;  // the connection ends, or it stalls
  }
}

size_t Simulation::Kept(const Encounter& encounter, const Response& response) {
  const size_t size = response.body.size();
  const auto kept = encounter.fault->kept;
  return kept ? std::min<size_t>(*kept, size) : size / 2;
}

}  // namespace aztables
