// Query options: see query_options.h.
#include "service/query_options.h"

#include <algorithm>

#include "base/encoding.h"

namespace aztables {
namespace {

// PercentDecode() of a text in which "+" is a blank.
std::string Decode(std::string_view text) {
  std::string decoded(text.size(), '\0');
  char* out = decoded.data();
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i] == '+' ? ' ' : text[i];
    if (c == '%' && i + 2 < text.size()) {
      const int high = HexValue(text[i + 1]);
      const int low = HexValue(text[i + 2]);
      if (high >= 0 && low >= 0) {
        c = static_cast<char>(high << 4 | low);
        i += 2;
      }
    }
    *out++ = c;
  }
  decoded.resize(static_cast<size_t>(out - decoded.data()));
  return decoded;
}

}  // namespace

void QueryOptions::Add(std::string_view query) {
  if (query.starts_with('?')) query.remove_prefix(1);
  while (!query.empty()) {
    std::string_view option = TakeUntil(query, '&');
    if (option.empty()) continue;
    const std::string_view name = TakeUntil(option, '=');
    all_.emplace_back(Decode(name), Decode(option));
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
