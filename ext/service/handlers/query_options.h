// QueryOptions: the options behind the "?" of a request, percent-decoded.
//
// Thread rule: values; any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace aztables {

using OptionMap = std::multimap<std::string, std::string>;

class QueryOptions {
 public:
  QueryOptions() = default;
  // `query` as it stands in a URL, without "?"; "+" is a blank.
  explicit QueryOptions(std::string_view query) { Add(query); }
  void Add(std::string_view query);

  // The first value; null where the option is absent.
  const std::string* Find(const std::string& name) const;
  // The same; empty where it is absent.
  std::string_view Get(const std::string& name) const;
  const OptionMap& all() const { return all_; }

 private:
  OptionMap all_;
};

}  // namespace aztables
