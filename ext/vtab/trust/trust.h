// Trust: which connections the user has named on this database connection. A database file from
// others names connections too. That alone must not send anything to a place of the file's choice,
// nor let its views and triggers change a remote table.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "auth/connection_source.h"
#include "auth/inline_form.h"
#include "base/status.h"

namespace aztables {

class Trust {
 public:
  // `environment` provides AZTABLES_TRUST: names and inline forms, one on each line.
  explicit Trust(Environment environment) : environment_(std::move(environment)) {}

  // aztables_connect and aztables_disconnect.
  void Connected(const std::string& name, std::string_view how);
  void Disconnected(const std::string& name) { connected_.erase(name); }
  // CREATE VIRTUAL TABLE with this connection was run.
  void Created(std::string_view connection);

  // What the user allows for an inline form, which is `text` in a database file. If the user gave
  // ReadOnly=true anywhere, it holds. kAuth if the user has not named the form.
  enum class Use { kReadOnly, kAll };
  Result<Use> UseOf(const InlineForm& form, std::string_view text) const;

  // Whether views and triggers may write through the connection: the user gave its name, or its
  // form, to aztables_connect or in AZTABLES_TRUST.
  bool AllowsIndirectWrites(const std::string& name, const std::optional<InlineForm>& form) const;

 private:
  std::set<std::string> Listed() const;  // the lines of AZTABLES_TRUST

  Environment environment_;
  std::map<std::string, std::optional<InlineForm>> connected_;  // by name
  std::set<std::string> created_;                               // InlineForm::text
};

// How to name the form that is `text` in a database file: "run: SELECT aztables_connect(". The name
// of the connection is derived from the form: each form has its own, and no file can guess that of
// another. A very long text is not shown.
std::string HowToName(const InlineForm& form, std::string_view text);

}  // namespace aztables
