// QueryOptions: the percent-decoded options after the "?" of a URL.
//
// Thread rule: values; any thread.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace aztables {

using OptionMap = std::multimap<std::string, std::string>;

class QueryOptions {
 public:
  QueryOptions() = default;
  // `query` is part of a URL, without "?"; "+" is a blank.
  explicit QueryOptions(std::string_view query) { Add(query); }
  explicit QueryOptions(OptionMap decoded) : all_(std::move(decoded)) {}
  void Add(std::string_view query);

  // The first value; null if the option is absent.
  const std::string* Find(const std::string& name) const;
  // The same; empty if the option is absent.
  std::string_view Get(const std::string& name) const;
  size_t Count(const std::string& name) const { return all_.count(name); }

 private:
  OptionMap all_;
};

}  // namespace aztables
