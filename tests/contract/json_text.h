// Reads the JSON of a response without conversion: the raw text of values, and the names of members
// in order.
#pragma once

#include <string>
#include <string_view>

namespace aztables {

inline constexpr std::string_view kAbsent = "absent";

// The text of the value at `pointer` ("/value/0/Name"). "absent" if there is none, or if `json` is
// not JSON.
std::string JsonAt(const std::string& json, std::string_view pointer);

// The names of the members of the object `json`, in order, separated by blanks.
std::string JsonNames(const std::string& json);

// The text of a JSON string without its quotes; nothing is unescaped.
std::string JsonStringAt(const std::string& json, std::string_view pointer);

}  // namespace aztables
