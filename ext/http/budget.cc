// Budget: see budget.h.
#include "http/budget.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace aztables {
namespace {

std::string Seconds(std::chrono::milliseconds time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count());
}

Status Exceeded(const std::string& limit, const Spending& spending) {
  const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - spending.began);
  return {Code::kBudget, limit + " is used up: the statement sent " +
                             std::to_string(spending.requests) +
                             (spending.requests == 1 ? " request" : " requests") + " for " +
                             std::to_string(spending.entities) +
                             (spending.entities == 1 ? " entity" : " entities") + " in " +
                             std::to_string(spent.count()) + " ms"};
}

}  // namespace

Status Budget::TakeRequest() const {
  if (!spending) return {};
  if (limits.max_requests && spending->requests >= *limits.max_requests) {
    return Exceeded("max_requests=" + std::to_string(*limits.max_requests), *spending);
  }
  AZTABLES_RETURN_IF_ERROR(CheckTime());
  ++spending->requests;
  return {};
}

Status Budget::CheckTime() const {
  if (!spending || !limits.max_time) return {};
  if (std::chrono::steady_clock::now() - spending->began < *limits.max_time) return {};
  return Exceeded("max_seconds=" + Seconds(*limits.max_time), *spending);
}

std::optional<int64_t> Budget::EntitiesLeft() const {
  if (!spending || !limits.max_entities) return std::nullopt;
  return std::max<int64_t>(0, *limits.max_entities - spending->entities);
}

Status Budget::CheckEntities() const {
  if (EntitiesLeft() != 0) return {};
  return Exceeded("max_entities=" + std::to_string(*limits.max_entities), *spending);
}

void Budget::CountEntities(int64_t count) const {
  if (spending) spending->entities += count;
}

Status Budget::CheckFor(int64_t requests, int64_t entities) const {
  if (!spending) return {};
  const auto check = [](std::string_view name, const std::optional<int64_t>& most, int64_t spent,
                        int64_t wanted) -> Status {
    if (!most || wanted <= *most - spent) return {};
    const std::string what = wanted != 1          ? std::string(name) + " are"
                             : name == "requests" ? "request is"
                                                  : "entity is";
    return {Code::kBudget, std::to_string(wanted) + " " + what + " needed, and max_" +
                               std::string(name) + "=" + std::to_string(*most) + " leaves " +
                               std::to_string(std::max<int64_t>(0, *most - spent))};
  };
  AZTABLES_RETURN_IF_ERROR(check("requests", limits.max_requests, spending->requests, requests));
  return check("entities", limits.max_entities, spending->entities, entities);
}

}  // namespace aztables
