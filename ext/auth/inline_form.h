// InlineForm: a connection that is written out instead of named: env:VARIABLE, file:PATH,
// LocalStore=PATH or UseDevelopmentStorage=true. It has one spelling, so that two forms can be
// compared. A database file may hold such a form. It is used only if the user names the same form.
//
// Thread rule: free functions; the working directory is read on the calling thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace aztables {

inline constexpr std::string_view kEnvPrefix = "env:";
inline constexpr std::string_view kFilePrefix = "file:";

struct InlineForm {
  std::string text;        // keys in one case, the path resolved
  bool read_only = false;  // ReadOnly=true was given

  bool operator==(const InlineForm& other) const = default;
};

// The form of `connection`. Nothing if it is a name, or a connection string with other keys.
std::optional<InlineForm> InlineFormOf(std::string_view connection);

}  // namespace aztables
