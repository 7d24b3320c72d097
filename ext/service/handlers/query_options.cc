// Query options: see query_options.h.
#include "service/handlers/query_options.h"

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
    const size_t end = query.find('&');
    const std::string_view option = query.substr(0, end);
    query.remove_prefix(end == std::string_view::npos ? query.size() : end + 1);
    if (option.empty()) continue;
    const size_t equals = option.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : option.substr(equals + 1);
    all_.emplace(Decode(option.substr(0, equals)), Decode(value));
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
