// Options of aztables-server, from its arguments and environment. It reads no files.
//
// Errors are one sentence each and never repeat an option's value, which may be a key.
// Thread rule: values.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "server/accounts.h"
#include "server/allowed_hosts.h"

namespace aztables {

struct Options {
  enum class Action { kServe, kHelp, kVersion };
  Action action = Action::kServe;
  std::string store;
  std::string host = "127.0.0.1";
  int port = 10002;           // 0: a free one
  ServedAccounts accounts;    // from arguments and environment; none: the published one
  std::string accounts_file;  // with more accounts; empty: no file
  AllowedHosts allowed_hosts;
  bool insecure_default_key = false;
  std::chrono::seconds idle_timeout{120};
  std::chrono::seconds request_timeout{60};
  bool log = false;
  // For tests; 0 disables each.
  std::chrono::milliseconds delay{0};
  int cut_every = 0;
  int cut_before_every = 0;
};

// `arguments` without the program's name. `accounts_variable` is the value of
// AZTABLES_SERVER_ACCOUNTS; empty if it is not set.
Result<Options> ParseOptions(std::span<const char* const> arguments,
                             std::string_view accounts_variable);

std::string_view HelpText();
std::string_view VersionText();  // "aztables-server 0.1.0\n"

}  // namespace aztables
