// InlineForm: see inline_form.h.
#include "auth/inline_form.h"

#include "base/encoding.h"
#include "platform/file.h"

namespace aztables {
namespace {

// Adds one part of a connection string, Key=Value. False if an inline form cannot have this part.
bool AddPart(std::string_view part, InlineForm& form) {
  const size_t equals = part.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string key = ToLowerAscii(TrimBlanks(part.substr(0, equals)));
  const std::string_view value = TrimBlanks(part.substr(equals + 1));
  if (key == "readonly") {
    form.read_only = ParseOnOff(value).value_or(false);
    return true;
  }
  if (!form.text.empty() || value.empty()) return false;
  if (key == "localstore") {
    form.text = "LocalStore=" +
                (value == ":memory:" ? std::string(value) : ResolvePath(std::string(value)));
  } else if (key == "usedevelopmentstorage" && ParseOnOff(value).value_or(false)) {
    form.text = "UseDevelopmentStorage=true";
  }
  return !form.text.empty();
}

}  // namespace

std::optional<InlineForm> InlineFormOf(std::string_view connection) {
  connection = TrimBlanks(connection);
  InlineForm form;
  if (connection.starts_with(kEnvPrefix)) {
    form.text = connection;
  } else if (connection.starts_with(kFilePrefix)) {
    form.text =
        std::string(kFilePrefix) + ResolvePath(std::string(connection.substr(kFilePrefix.size())));
  }
  if (!form.text.empty()) return form;
  while (!connection.empty()) {
    const std::string_view part = TrimBlanks(TakeUntil(connection, ';'));
    if (!part.empty() && !AddPart(part, form)) return std::nullopt;
  }
  if (form.text.empty()) return std::nullopt;
  return form;
}

}  // namespace aztables
