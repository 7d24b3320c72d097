// Query options: see query_options.h.
#include "service/query_options.h"

#include <algorithm>

#include "base/encoding.h"

namespace aztables {
namespace {

std::string Decode(std::string_view text) {
  std::string blanks(text);
  std::replace(blanks.begin(), blanks.end(), '+', ' ');
  return PercentDecode(blanks);
}

}  // namespace

void QueryOptions::Add(std::string_view query) {
  if (query.starts_with('?')) query.remove_prefix(1);
  while (!query.empty()) {
    std::string_view option = TakeUntil(query, '&');
    if (option.empty()) continue;
    const std::string_view name = TakeUntil(option, '=');
    all_.emplace(Decode(name), Decode(option));
  }
}

const std::string* QueryOptions::Find(const std::string& name) const {
  const auto found = all_.lower_bound(name);
  return found == all_.end() || found->first != name ? nullptr : &found->second;
}

std::string_view QueryOptions::Get(const std::string& name) const {
  const std::string* const value = Find(name);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

}  // namespace aztables
