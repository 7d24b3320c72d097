// Query options: see query_options.h.
#include "service/query_options.h"

#include <algorithm>

#include "base/encoding.h"

namespace aztables {

void QueryOptions::Add(std::string_view query) {
  if (query.starts_with('?')) query.remove_prefix(1);
  if (query.empty()) return;
  all_.reserve(all_.size() + 1 + static_cast<size_t>(std::count(query.begin(), query.end(), '&')));
  while (!query.empty()) {
    std::string_view option = TakeUntil(query, '&');
    if (option.empty()) continue;
    const std::string_view name = TakeUntil(option, '=');
    all_.emplace_back(PercentDecode(name, ' '), PercentDecode(option, ' '));
  }
}

const std::string* QueryOptions::Find(std::string_view name) const {
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&](const auto& option) { return option.first == name; });
  return found == all_.end() ? nullptr : &found->second;
}

std::string_view QueryOptions::Get(std::string_view name) const {
  const std::string* const value = Find(name);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

size_t QueryOptions::Count(std::string_view name) const {
  return static_cast<size_t>(std::count_if(
      all_.begin(), all_.end(), [&](const auto& option) { return option.first == name; }));
}

}  // namespace aztables
