// Looks into the JSON of a response without making anything of it: the text of a value as it stands
// there, the names of members in their order.
#pragma once

#include <string>
#include <string_view>

namespace aztables {

inline constexpr std::string_view kAbsent = "absent";

// The text of the value at `pointer` ("/value/0/Name"). "absent" if there is none, or if `json` is
// not JSON.
std::string JsonAt(const std::string& json, std::string_view pointer);

// The names of the members of the object that is `json`, in their order, with blanks between them.
std::string JsonNames(const std::string& json);

// The text of a JSON string without its quotes; nothing is unescaped.
std::string JsonStringAt(const std::string& json, std::string_view pointer);

}  // namespace aztables
