// QueryOptions: the percent-decoded options after the "?" of a URL.
//
// Thread rule: values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aztables {

// Names and values.
using OptionList = std::vector<std::pair<std::string, std::string>>;

class QueryOptions {
 public:
  QueryOptions() = default;
  // `query` is part of a URL, without "?"; "+" is a blank.
  explicit QueryOptions(std::string_view query) { Add(query); }
  explicit QueryOptions(OptionList decoded) : all_(std::move(decoded)) {}
  void Add(std::string_view query);

  // The first value; null if the option is absent.
  const std::string* Find(std::string_view name) const;
  // The same; empty if the option is absent.
  std::string_view Get(std::string_view name) const;
  size_t Count(std::string_view name) const;

 private:
  OptionList all_;  // few, in the order of the query
};

}  // namespace aztables
