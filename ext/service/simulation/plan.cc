// The reader of plans: see plan.h. Two tables have the names of settings and of faults.
#include "service/simulation/plan.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/encoding.h"

namespace aztables {
namespace {

using std::chrono::milliseconds;
using Kind = SimulatedFault::Kind;
using Only = SimulatedFault::Only;

constexpr int64_t kMostMs = 3'600'000;
constexpr int64_t kMostCount = 1'000'000'000;
constexpr int64_t kMostRetryAfter = 86'400;
constexpr std::string_view kMs = "milliseconds from 0 to 3600000";
constexpr std::string_view kCount = "a number from 1 to 1000000000";
constexpr std::string_view kShare = "a percentage such as 0.5%, above 0 and up to 100";

std::optional<int64_t> Number(std::string_view text, int64_t least, int64_t most) {
  if (text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  const auto number = ParseInteger(text);
  return number && *number >= least && *number <= most ? number : std::nullopt;
}

std::optional<milliseconds> Milliseconds(std::string_view text) {
  const auto number = Number(text, 0, kMostMs);
  return number ? std::optional(milliseconds(*number)) : std::nullopt;
}

// "0.5%" is 0.005. Nothing unless it is above 0 and at most 1.
std::optional<double> Share(std::string_view text) {
  constexpr size_t kMostDecimals = 9;
  if (!text.ends_with('%')) return std::nullopt;
  text.remove_suffix(1);
  const std::string_view whole = TakeUntil(text, '.');
  if (text.size() > kMostDecimals) return std::nullopt;
  const auto above = Number(whole, 0, 100);
  const auto below = text.empty() ? std::optional<int64_t>(0) : Number(text, 0, kMostCount);
  if (!above || !below) return std::nullopt;
  const double percent = static_cast<double>(*above) +
                         static_cast<double>(*below) / std::pow(10.0, double(text.size()));
  return percent > 0 && percent <= 100 ? std::optional(percent / 100) : std::nullopt;
}

template <typename To, typename From>
bool Set(To& to, const std::optional<From>& value) {
  if (value) to = static_cast<To>(*value);
  return value.has_value();
}

bool SetTail(std::string_view value, SimulationPlan& plan) {
  const std::string_view time = TrimBlanks(TakeUntil(value, '@'));
  return Set(plan.tail, Milliseconds(time)) && Set(plan.tail_share, Share(TrimBlanks(value)));
}

struct Setting {
  std::string_view name;
  std::string_view needs;
  bool (*set)(std::string_view value, SimulationPlan& plan);
};

constexpr Setting kSettings[] = {
    {"seed", "a number from 0 to 1000000000",
     [](std::string_view v, SimulationPlan& p) { return Set(p.seed, Number(v, 0, kMostCount)); }},
    {"latency", kMs,
     [](std::string_view v, SimulationPlan& p) { return Set(p.latency, Milliseconds(v)); }},
    {"tail", "MS@P%, such as 500@1%", SetTail},
    {"partition_rate", kCount,
     [](std::string_view v, SimulationPlan& p) {
       return Set(p.partition_rate, Number(v, 1, kMostCount));
     }},
    {"account_rate", kCount,
     [](std::string_view v, SimulationPlan& p) {
       return Set(p.account_rate, Number(v, 1, kMostCount));
     }},
    {"ranges", kCount,
     [](std::string_view v, SimulationPlan& p) {
       return Set(p.pages.ranges, Number(v, 1, kMostCount));
     }},
    {"scan_time", kMs,
     [](std::string_view v, SimulationPlan& p) { return Set(p.pages.scan_time, Milliseconds(v)); }},
    {"scan_rows", kCount,
     [](std::string_view v, SimulationPlan& p) {
       return Set(p.pages.scan_rows, Number(v, 1, kMostCount));
     }},
    {"tokens", "partition",
     [](std::string_view v, SimulationPlan& p) {
       return p.pages.partition_tokens = v == "partition";
     }},
};

bool NoArgument(std::string_view argument, SimulatedFault&) { return argument.empty(); }

bool TakeTime(std::string_view argument, SimulatedFault& fault) {
  return argument.empty() || Set(fault.time, Milliseconds(argument));
}

bool TakeKept(std::string_view argument, SimulatedFault& fault) {
  if (argument.empty() || argument == "half") return true;
  const auto number = Number(argument, 0, kMostCount);
  if (number) fault.kept = static_cast<uint64_t>(*number);
  return number.has_value();
}

bool TakeRetryAfter(std::string_view argument, SimulatedFault& fault) {
  if (argument.empty()) return true;
  fault.retry_date = argument.starts_with('+');
  if (fault.retry_date) argument.remove_prefix(1);
  fault.retry_after = Number(argument, 0, kMostRetryAfter);
  return fault.retry_after.has_value();
}

struct FaultName {
  std::string_view name;
  Kind kind;
  bool after;
  bool (*take)(std::string_view argument, SimulatedFault& fault);
  std::string_view needs;  // of the argument
};

constexpr std::string_view kNone;
constexpr FaultName kFaults[] = {
    {"refuse", Kind::kRefuse, false, TakeTime, kMs},
    {"reset-before", Kind::kReset, false, NoArgument, kNone},
    {"reset-after", Kind::kReset, true, NoArgument, kNone},
    {"stall-before", Kind::kStall, false, TakeTime, kMs},
    {"stall-after", Kind::kStall, true, TakeTime, kMs},
    {"truncate", Kind::kTruncate, true, TakeKept, "half, or bytes from 0 to 1000000000"},
    {"html", Kind::kHtml, false, NoArgument, kNone},
    {"html-after", Kind::kHtml, true, NoArgument, kNone},
    {"bad-json", Kind::kBadJson, true, NoArgument, kNone},
    {"bad-batch", Kind::kBadBatch, true, NoArgument, kNone},
    {"move", Kind::kMove, false, TakeTime, kMs},
};
constexpr FaultName kStatusFault = {"", Kind::kStatus, false, TakeRetryAfter,
                                    "seconds from 0 to 86400, with + for a date"};
constexpr int kStatuses[] = {408, 429, 500, 502, 503, 504};

// Finds "reset-after", "503" or "503-after".
bool FindFault(std::string_view name, FaultName& found) {
  for (const FaultName& known : kFaults) {
    if (known.name != name) continue;
    found = known;
    return true;
  }
  constexpr std::string_view kAfter = "-after";
  found = kStatusFault;
  found.name = name;
  found.after = name.ends_with(kAfter);
  if (found.after) name.remove_suffix(kAfter.size());
  const auto status = Number(name, 0, 599);
  return status &&
         std::find(std::begin(kStatuses), std::end(kStatuses), *status) != std::end(kStatuses);
}

bool TakeWhen(std::string_view when, SimulatedFault& fault) {
  if (when.ends_with('%')) return Set(fault.share, Share(when));
  fault.each = when.starts_with('*');
  if (fault.each) when.remove_prefix(1);
  return Set(fault.nth, Number(when, 1, kMostCount));
}

bool TakeOnly(std::string_view only, SimulatedFault& fault) {
  fault.only = only == "reads" ? Only::kReads : only == "writes" ? Only::kWrites : Only::kEgts;
  return only == "reads" || only == "writes" || only == "egts";
}

// The sentence after the number of the item; empty if the item is valid.
std::string TakeFault(std::string_view item, SimulationPlan& plan) {
  std::string_view rest = item;
  std::string_view before = TakeUntil(rest, '@');
  std::string_view argument = before;
  const std::string_view name = TrimBlanks(TakeUntil(argument, ':'));
  FaultName known = kStatusFault;
  if (!FindFault(name, known)) {
    return " is neither a setting nor a fault: the settings are seed, latency, tail, "
           "partition_rate, account_rate, ranges, scan_time, scan_rows and tokens; the faults are "
           "refuse, reset-before, reset-after, stall-before, stall-after, truncate, 408, 429, 500, "
           "502, 503, 504 (each also with -after), html, html-after, bad-json, bad-batch and move";
  }
  const std::string shown = " (" + std::string(known.name) + ")";
  SimulatedFault fault{.kind = known.kind, .after = known.after};
  if (known.kind == Kind::kStatus)
    fault.status = static_cast<int>(*ParseInteger(name.substr(0, 3)));
  const bool has_argument = before.find(':') != std::string_view::npos;
  argument = TrimBlanks(argument);
  if ((has_argument && argument.empty()) || !known.take(argument, fault)) {
    return shown + (known.needs.empty() ? " takes no argument" : " takes after ':' ") +
           std::string(known.needs);
  }
  const bool has_only = rest.find('/') != std::string_view::npos;
  if (!TakeWhen(TrimBlanks(TakeUntil(rest, '/')), fault)) {
    return shown + " needs after '@' the number of a request (3), each n-th (*3) or " +
           std::string(kShare);
  }
  if (has_only && !TakeOnly(TrimBlanks(rest), fault)) {
    return shown + " takes after '/' reads, writes or egts";
  }
  if (fault.kind == Kind::kBadBatch) fault.only = Only::kEgts;
  plan.faults.push_back(fault);
  return {};
}

std::string TakeItem(std::string_view item, SimulationPlan& plan) {
  const size_t equals = item.find('=');
  if (equals == std::string_view::npos) return TakeFault(item, plan);
  const std::string_view name = TrimBlanks(item.substr(0, equals));
  for (const Setting& setting : kSettings) {
    if (setting.name != name) continue;
    if (setting.set(TrimBlanks(item.substr(equals + 1)), plan)) return {};
    return " (" + std::string(name) + ") needs " + std::string(setting.needs);
  }
  return TakeFault("", plan);
}

}  // namespace

Result<SimulationPlan> ParsePlan(std::string_view text) {
  if (TrimBlanks(text).empty()) return Status::Error("the simulation has no item");
  SimulationPlan plan;
  for (int number = 1; !text.empty(); ++number) {
    const std::string error = TakeItem(TrimBlanks(TakeUntil(text, ',')), plan);
    if (error.empty()) continue;
    return Status::Error("item " + std::to_string(number) + " of the simulation" + error);
  }
  plan.pages.seed = plan.seed;
  return plan;
}

}  // namespace aztables
