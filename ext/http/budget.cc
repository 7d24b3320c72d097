// Budget: see budget.h.
#include "http/budget.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace aztables {
namespace {

constexpr std::string_view kMaxRequests = "max_requests";
constexpr std::string_view kMaxEntities = "max_entities";
constexpr std::string_view kMaxSeconds = "max_seconds";

Status Exceeded(std::string_view limit, std::string message) {
  Failure detail;
  detail.limit = limit;
  return {Code::kBudget, std::move(message), std::move(detail)};
}

Status UsedUp(std::string_view limit, int64_t most, const Spending& spending) {
  const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - spending.began);
  return Exceeded(limit, std::string(limit) + "=" + std::to_string(most) +
                             " is used up: the statement sent " +
                             std::to_string(spending.requests) +
                             (spending.requests == 1 ? " request" : " requests") + " for " +
                             std::to_string(spending.entities) +
                             (spending.entities == 1 ? " entity" : " entities") + " in " +
                             std::to_string(spent.count()) + " ms");
}

}  // namespace

Status Budget::TakeRequest() const {
  if (!spending) return {};
  if (limits.max_requests && spending->requests >= *limits.max_requests) {
    return UsedUp(kMaxRequests, *limits.max_requests, *spending);
  }
  AZTABLES_RETURN_IF_ERROR(CheckTime());
  ++spending->requests;
  return {};
}

Status Budget::CheckTime() const {
  if (!spending || !limits.max_time) return {};
  if (std::chrono::steady_clock::now() - spending->began < *limits.max_time) return {};
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*limits.max_time);
  return UsedUp(kMaxSeconds, seconds.count(), *spending);
}

std::optional<int64_t> Budget::EntitiesLeft() const {
  if (!spending || !limits.max_entities) return std::nullopt;
  return std::max<int64_t>(0, *limits.max_entities - spending->entities);
}

Status Budget::CheckEntities() const {
  if (!EntitiesLeft() || spending->entities <= *limits.max_entities) return {};
  return EntitiesUsedUp();
}

Status Budget::EntitiesUsedUp() const {
  return UsedUp(kMaxEntities, *limits.max_entities, *spending);
}

void Budget::CountEntities(int64_t count) const {
  if (spending) spending->entities += count;
}

Status Budget::CheckFor(int64_t requests, int64_t entities) const {
  if (!spending) return {};
  const auto check = [](std::string_view limit, const std::optional<int64_t>& most, int64_t spent,
                        int64_t wanted, const char* needed) -> Status {
    if (!most || wanted <= *most - spent) return {};
    return Exceeded(limit, std::to_string(wanted) + needed + " needed, and " + std::string(limit) +
                               "=" + std::to_string(*most) + " leaves " +
                               std::to_string(std::max<int64_t>(0, *most - spent)));
  };
  AZTABLES_RETURN_IF_ERROR(check(kMaxRequests, limits.max_requests, spending->requests, requests,
                                 requests == 1 ? " request is" : " requests are"));
  return check(kMaxEntities, limits.max_entities, spending->entities, entities,
               entities == 1 ? " entity is" : " entities are");
}

}  // namespace aztables
