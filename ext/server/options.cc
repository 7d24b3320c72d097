// The argument parser of aztables-server: see options.h. A table has the names of options and the
// function that stores each value.
#include "server/options.h"

#include <optional>
#include <utility>

#include "base/encoding.h"

namespace aztables {
namespace {

constexpr int64_t kMostSeconds = 86'400;

// Parses `value` into `number`; the error names the valid range.
template <typename T>
Status SetNumber(std::string_view value, int64_t least, int64_t most, T& number) {
  const std::optional<int64_t> parsed = ParseInteger(value);
  if (!parsed || *parsed < least || *parsed > most) {
    return Status::Error("needs a number from " + std::to_string(least) + " to " +
                         std::to_string(most));
  }
  number = T(*parsed);
  return {};
}

template <typename Duration>
Status SetSeconds(std::string_view value, Duration& time) {
  int64_t number = 0;
  AZTABLES_RETURN_IF_ERROR(SetNumber(value, 1, kMostSeconds, number));
  time = std::chrono::seconds(number);
  return {};
}

Status SetText(std::string_view value, std::string& text) {
  if (value.empty()) return Status::Error("needs a value that is not empty");
  text = value;
  return {};
}

Status SetPlan(std::string_view value, Options& options) {
  auto plan = ParsePlan(value);
  if (!plan.ok()) return plan.status();
  options.simulation = std::move(*plan);
  return {};
}

template <typename T>
Status Set(T& to, T value) {
  to = value;
  return {};
}

using SetOption = Status (*)(std::string_view value, Options& options);

struct KnownOption {
  std::string_view name;
  bool takes_value;
  SetOption set;
};

constexpr KnownOption kOptions[] = {
    {"--store", true, [](std::string_view v, Options& o) { return SetText(v, o.store); }},
    {"--host", true, [](std::string_view v, Options& o) { return SetText(v, o.http.host); }},
    {"--port", true,
     [](std::string_view v, Options& o) { return SetNumber(v, 0, 65535, o.http.port); }},
    {"--account", true, [](std::string_view v, Options& o) { return AddAccount(v, o.accounts); }},
    {"--accounts-file", true,
     [](std::string_view v, Options& o) { return SetText(v, o.accounts_file); }},
    {"--idle-timeout", true,
     [](std::string_view v, Options& o) { return SetSeconds(v, o.http.idle_timeout); }},
    {"--allow-host", true, [](std::string_view v, Options& o) { return o.allowed_hosts.Add(v); }},
    {"--insecure-default-key", false,
     [](std::string_view, Options& o) { return Set(o.insecure_default_key, true); }},
    {"--log", false, [](std::string_view, Options& o) { return Set(o.log, true); }},
    {"--oauth", false, [](std::string_view, Options& o) { return Set(o.oauth, true); }},
    {"--simulate", true, [](std::string_view v, Options& o) { return SetPlan(v, o); }},
    {"--help", false,
     [](std::string_view, Options& o) { return Set(o.action, Options::Action::kHelp); }},
    {"--version", false,
     [](std::string_view, Options& o) { return Set(o.action, Options::Action::kVersion); }},
};

// The option that `argument` ("--name" or "--name=value") names, or null.
const KnownOption* FindOption(std::string_view argument) {
  const std::string_view name =
      argument == "-h" ? "--help" : argument.substr(0, argument.find('='));
  for (const KnownOption& option : kOptions) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

// Whether `argument` looks like an option and not like a misplaced value.
bool IsOptionLike(std::string_view argument) {
  return argument.starts_with("-") && argument.size() <= 32 &&
         argument.find_first_not_of("-abcdefghijklmnopqrstuvwxyz") == std::string_view::npos;
}

Status Unknown(std::string_view argument, size_t number) {
  const std::string_view name = argument.substr(0, argument.find('='));
  if (!IsOptionLike(name)) {
    return Status::Error("argument " + std::to_string(number) + " is not an option; see --help");
  }
  return Status::Error("there is no option " + std::string(name) + "; see --help");
}

// Applies arguments[at], and moves `at` to the next option.
Status TakeOption(std::span<const char* const> arguments, size_t& at, Options& options) {
  const std::string_view argument = arguments[at++];
  const KnownOption* option = FindOption(argument);
  if (option == nullptr) return Unknown(argument, at);
  const std::string name(option->name);
  const size_t equals = argument.find('=');
  std::string_view value;
  if (!option->takes_value) {
    if (equals != std::string_view::npos) return Status::Error(name + " takes no value");
  } else if (equals != std::string_view::npos) {
    value = argument.substr(equals + 1);
  } else if (at < arguments.size() && FindOption(arguments[at]) == nullptr) {
    value = arguments[at++];
  } else {
    return Status::Error(name + " needs a value");
  }
  return option->set(value, options).In(name);
}

}  // namespace

Result<Options> ParseOptions(std::span<const char* const> arguments,
                             std::string_view accounts_variable) {
  Options options;
  for (size_t at = 0; at < arguments.size();) {
    AZTABLES_RETURN_IF_ERROR(TakeOption(arguments, at, options));
    // A request for help precedes all later errors.
    if (options.action != Options::Action::kServe) return options;
  }
  AZTABLES_RETURN_IF_ERROR(
      AddAccounts(accounts_variable, ';', options.accounts).In("AZTABLES_SERVER_ACCOUNTS"));
  if (options.store.empty()) return Status::Error("--store is missing; see --help");
  return options;
}

}  // namespace aztables
