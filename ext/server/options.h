// Options of aztables-server, from its arguments and environment. It reads no files.
//
// Errors are one sentence each and never repeat an option's value, which may be a key.
// Thread rule: values.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "server/accounts.h"
#include "server/allowed_hosts.h"
#include "server/http_handler.h"
#include "server/http_server.h"
#include "service/simulation/plan.h"

namespace aztables {

struct Options {
  enum class Action { kServe, kHelp, kVersion };
  Action action = Action::kServe;
  std::string store;
  HttpServerOptions http{.port = 10002};
  ServedAccounts accounts;    // from arguments and environment; none: the published one
  std::string accounts_file;  // with more accounts; empty: no file
  AllowedHosts allowed_hosts;
  bool insecure_default_key = false;
  bool log = false;
  bool oauth = false;  // tokens of Microsoft Entra are accepted, unsigned ones too
  std::optional<SimulationPlan> simulation;
};

// `arguments` without the program's name. `accounts_variable` is the value of
// AZTABLES_SERVER_ACCOUNTS; empty if it is not set.
Result<Options> ParseOptions(std::span<const char* const> arguments,
                             std::string_view accounts_variable);

std::string_view HelpText();
std::string_view VersionText();  // "aztables-server 0.1.0\n"

}  // namespace aztables
