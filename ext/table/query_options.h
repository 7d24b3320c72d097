// The options of a request's query, and the continuation tokens of its response.
//
// Thread rule: free functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/encoding.h"
#include "http/message.h"

namespace aztables {

// Adds name=value, percent-encoded.
inline void AppendOption(std::string& query, std::string_view name, std::string_view value) {
  if (!query.empty()) query += '&';
  query += name;
  query += '=';
  AppendPercentEncoded(query, value);
}

// One half of the continuation token, from a header of the response. Nothing if the header is
// absent, or if it is empty and not `may_be_empty`.
inline std::optional<std::string> Continuation(const Response& response, std::string_view name,
                                               bool may_be_empty = false) {
  const std::string* value = response.headers.Find(name);
  if (value == nullptr || (value->empty() && !may_be_empty)) return std::nullopt;
  return *value;
}

}  // namespace aztables
