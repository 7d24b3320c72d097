// Options: see options.h. Columns are read in columns.cc.
#include "schema/options.h"

#include <array>
#include <optional>
#include <set>
#include <type_traits>

#include "auth/connection_source.h"
#include "base/edit_distance.h"
#include "base/encoding.h"
#include "base/secret.h"
#include "model/limits.h"
#include "schema/argument_shape.h"
#include "schema/catalog.h"
#include "schema/columns.h"
#include "schema/table_name.h"

namespace aztables {
namespace {

// The length of the word if the argument has the form word=value; else 0.
size_t OptionNameSize(std::string_view argument) {
  constexpr std::string_view kWord =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  const size_t size = argument.find_first_not_of(kWord);
  const size_t next = argument.find_first_not_of(' ', size);
  return size > 0 && next != std::string_view::npos && argument[next] == '=' ? size : 0;
}

std::string Unquote(std::string_view value) {
  std::string_view rest = value;
  const bool quoted = value.starts_with('\'') || value.starts_with('"');
  const auto content = quoted ? TakeQuoted(rest) : std::nullopt;
  return content && rest.empty() ? *content : std::string(value);
}

// Names that belong in a connection string, and whose values may be secret.
bool IsConnectionKey(std::string_view name) {
  return FindInCatalog("connection key", name) != nullptr || EqualsIgnoreCase(name, "key") ||
         EqualsIgnoreCase(name, "sas") || EqualsIgnoreCase(name, "endpoint") ||
         EqualsIgnoreCase(name, "account");
}

// The error for a value that is not valid. `valid` names the valid values, such as "a or b".
Status Invalid(std::string_view option, std::string_view valid, std::string_view value) {
  std::string message = "option " + std::string(option) + " must be " + std::string(valid);
  if (IsPlainWord(value)) {
    message += ", not " + std::string(value);
  } else if (const std::string shown = ShowWord(value); shown != kNotShown) {
    message += ", not " + shown;
  }
  return Status::Error(message);
}

// "60", "60s", "2m"; up to `most` seconds.
std::optional<std::chrono::milliseconds> ParseDuration(std::string_view text, int64_t most) {
  int64_t unit = 1;
  if (text.ends_with('s') || text.ends_with('S')) {
    text.remove_suffix(1);
  } else if (text.ends_with('m') || text.ends_with('M')) {
    text.remove_suffix(1);
    unit = 60;
  }
  const auto number = ParseInteger(TrimBlanks(text));
  if (!number || *number < 1 || *number > most / unit) return std::nullopt;
  return std::chrono::seconds(*number * unit);
}

// "64MB", "512KB", "1GB" or bytes, in bytes; up to 64 GiB.
std::optional<size_t> ParseSize(std::string_view text) {
  constexpr std::pair<std::string_view, int> kUnits[] = {{"KB", 10}, {"MB", 20}, {"GB", 30}};
  int shift = 0;
  for (const auto& [unit, bits] : kUnits) {
    if (text.size() <= 2 || !EqualsIgnoreCase(text.substr(text.size() - 2), unit)) continue;
    text.remove_suffix(2);
    shift = bits;
  }
  const auto number = ParseInteger(TrimBlanks(text));
  constexpr int64_t kMost = int64_t{64} << 30;
  if (!number || *number < 1 || *number > kMost >> shift) return std::nullopt;
  return static_cast<size_t>(*number << shift);
}

// An option that is one of a few words. Its value is the number of the word.
struct Choice {
  std::string_view option;
  std::array<std::string_view, 3> words;  // empty: none
  void (*assign)(TableOptions& options, size_t word);
};

template <auto kMember>
void Assign(TableOptions& options, size_t word) {
  auto& member = options.*kMember;
  member = static_cast<std::remove_reference_t<decltype(member)>>(word);
}

constexpr Choice kChoices[] = {
    {"access", {"write", "read"}, Assign<&TableOptions::read_only>},
    {"create", {"never", "missing"}, Assign<&TableOptions::create_missing>},
    {"compare", {"strict", "text"}, Assign<&TableOptions::compare_text>},
    {"concurrency", {"etag", "none"}, Assign<&TableOptions::ignore_etag>},
    {"upsert", {"replace", "merge"}, Assign<&TableOptions::upsert_merge>},
    {"atomic", {"egt", "partition", "strict"}, Assign<&TableOptions::atomic>},
    {"on_error", {"stop", "continue"}, Assign<&TableOptions::continue_on_error>},
    {"mismatch", {"error", "null"}, Assign<&TableOptions::mismatch_null>},
    {"pushdown", {"all", "keys", "none"}, Assign<&TableOptions::pushdown>},
    {"scan", {"allow", "warn", "deny"}, Assign<&TableOptions::scan>},
};

Status Choose(const Choice& choice, std::string_view value, TableOptions& options) {
  std::string valid;
  for (size_t i = 0; i < choice.words.size() && !choice.words[i].empty(); ++i) {
    if (EqualsIgnoreCase(choice.words[i], value)) {
      choice.assign(options, i);
      return {};
    }
    if (i > 0) valid += " or ";
    valid += choice.words[i];
  }
  return Invalid(choice.option, valid, value);
}

// Assigns the value that was read. If it could not be read, the error names the valid values.
template <typename T>
Status Take(std::string_view option, std::string_view valid, std::string_view text,
            const std::optional<T>& value, T& member) {
  if (!value) return Invalid(option, valid, text);
  member = *value;
  return {};
}

// "none", or a number from 1 on.
Status SetMost(std::string_view option, const std::string& value, std::optional<int64_t>& most) {
  most.reset();
  if (EqualsIgnoreCase(value, "none")) return {};
  const auto number = ParseInteger(value);
  if (!number || *number < 1) {
    return Invalid(option, "none or a number from 1 on", value);
  }
  most = number;
  return {};
}

// "none", or a time.
Status SetMostTime(const std::string& value, std::optional<std::chrono::milliseconds>& most) {
  most.reset();
  if (EqualsIgnoreCase(value, "none")) return {};
  constexpr int64_t kDay = 86'400;
  most = ParseDuration(value, kDay);
  return most ? Status() : Invalid("max_seconds", "none or a time from 1s to 86400s", value);
}

template <typename T>
Status SetNumber(std::string_view option, const std::string& value, int64_t least, int64_t most,
                 T& number) {
  const auto given = ParseInteger(value);
  if (!given || *given < least || *given > most) {
    return Invalid(option, "a number from " + std::to_string(least) + " to " + std::to_string(most),
                   value);
  }
  number = static_cast<T>(*given);
  return {};
}

Status SetInfer(const std::string& value, TableOptions& options) {
  const auto number = ParseInteger(value);
  if (EqualsIgnoreCase(value, "auto")) {
    options.infer = TableOptions::kInferAuto;
  } else if (EqualsIgnoreCase(value, "off")) {
    options.infer = 0;
  } else if (number && *number >= 1 && *number <= TableOptions::kMostInferred) {
    options.infer = static_cast<int>(*number);
  } else {
    return Invalid("infer", "auto, off or a number of columns from 1 to 1500", value);
  }
  return {};
}

// "; did you mean parallel?" for a misspelled name; empty if none is near.
std::string DidYouMean(std::string_view name) {
  const std::u32string given = FoldedCodePoints(name);
  const CatalogEntry* nearest = nullptr;
  size_t least = 3;  // more differences make another word
  for (const CatalogEntry& entry : Catalog()) {
    if (entry.kind != "option") continue;
    const size_t distance = EditDistance(given, FoldedCodePoints(entry.name));
    if (distance >= least || 2 * distance >= entry.name.size()) continue;
    nearest = &entry;
    least = distance;
  }
  return nearest == nullptr ? "" : "; did you mean " + std::string(nearest->name) + "?";
}

// table=prod.Orders names the connection too.
Status TakeConnectionOfTable(bool connection_given, TableOptions& options) {
  const std::string& connection = options.connection_of_table;
  if (connection.empty()) return {};
  if (connection_given && options.connection != connection) {
    const std::string name = connection + "." + options.table;
    return Status::Error(
        "table=" + (IsPlainWord(name) ? name : "CONNECTION.NAME") +
        " names another connection than the option connection: leave one of the two out");
  }
  options.connection = connection;
  return {};
}

// The error for an option with an invalid value. If the first word alone is valid, a comma is
// missing after it.
Status SetFirstWord(std::string_view name, const std::string& value, const Status& invalid,
                    TableOptions options) {
  const auto words = ArgumentWords(value);
  if (!words || words->size() < 2 || !SetOption(name, (*words)[0].text, options).ok()) {
    return invalid;
  }
  return Status::Error("a comma is missing before " + ShowWord((*words)[1].text));
}

}  // namespace

Status SetOption(std::string_view name, const std::string& value, TableOptions& options) {
  for (const Choice& choice : kChoices) {
    if (choice.option == name) return Choose(choice, value, options);
  }
  if (name == "max_requests") return SetMost(name, value, options.limits.max_requests);
  if (name == "max_entities") return SetMost(name, value, options.limits.max_entities);
  if (name == "table") {
    const auto named = ParseTableName(value);
    if (!named.ok()) return named.status();
    options.table = named->table;
    options.table_given = true;
    if (named->connection_given) options.connection_of_table = named->connection;
    return {};
  }
  if (name == "connection") {
    AZTABLES_RETURN_IF_ERROR(CheckInline(value));
    options.connection = TrimBlanks(value);
    return {};
  }
  if (name == "bulk") return Take(name, "on or off", value, ParseOnOff(value), options.bulk);
  if (name == "settle") return Take(name, "on or off", value, ParseOnOff(value), options.settle);
  if (name == "batch") return SetNumber(name, value, 1, kMaxEgtOperations, options.batch);
  if (name == "parallel") return SetNumber(name, value, 1, 64, options.parallel);
  if (name == "retries") return SetNumber(name, value, 0, 20, options.retries);
  if (name == "max_pending") {
    return Take(name, "a size up to 64GB, such as 256MB", value, ParseSize(value),
                options.max_pending);
  }
  if (name == "timeout") {
    constexpr int64_t kHour = 3600;
    return Take(name, "a time from 1s to 60m", value, ParseDuration(value, kHour), options.timeout);
  }
  if (name == "max_seconds") return SetMostTime(value, options.limits.max_time);
  if (name == "infer") return SetInfer(value, options);
  if (name == "readonly" || name == "read_only") {
    return Status::Error("there is no option " + std::string(name) + "; write access=read");
  }
  if (IsConnectionKey(name)) return CheckInline("=");
  const std::string whole = std::string(name) + "=" + value;  // of a key, its padding
  return Status::Error("there is no option " + ShowWord(MayBeSecret(whole) ? whole : name) +
                       DidYouMean(name) + "; the options are: " + CatalogNames("option"));
}

Status CheckTogether(const TableOptions& options) {
  if (options.bulk && options.atomic != Atomicity::kEgt) {
    return Status::Error(
        "bulk=on contradicts atomic=partition and atomic=strict: it sends before COMMIT");
  }
  if (options.continue_on_error && !options.bulk)
    return Status::Error("on_error=continue needs bulk=on");
  return {};
}

std::pair<std::string, std::string> SplitOption(std::string_view text) {
  const size_t size = OptionNameSize(text);
  if (size == 0) return {};
  return {ToLowerAscii(text.substr(0, size)), Unquote(TrimBlanks(text.substr(text.find('=') + 1)))};
}

int TableDeclaration::InferredColumns() const {
  if (options.infer != TableOptions::kInferAuto) return options.infer;
  return schema.properties.empty() ? TableOptions::kInferredColumns : 0;
}

Status ParseDeclaration(std::string_view virtual_table, const std::vector<std::string>& arguments,
                        TableDeclaration& declaration) {
  declaration.options.table = virtual_table;
  Status first_error;
  std::set<std::string> given;
  ColumnNames names;
  for (const std::string& raw : arguments) {
    const std::string_view argument = TrimBlanks(raw);
    if (argument.empty()) continue;
    Status status = CheckShape(argument);
    if (!status.ok()) {
      // the intended form of the argument is not known
    } else if (const auto [name, value] = SplitOption(argument); !name.empty()) {
      status = SetOption(name, value, declaration.options);  // first: it knows the names
      const bool quoted = !argument.ends_with(value);
      if (!status.ok() && !quoted) status = SetFirstWord(name, value, status, declaration.options);
      if (status.ok() && !given.insert(name).second) {
        status = Status::Error("option " + name + " is given twice");
      }
    } else {
      auto column = ParseColumn(argument);
      status = column.ok() ? names.Add(*column) : column.status();
      if (status.ok()) declaration.schema.properties.push_back(std::move(*column));
    }
    if (!status.ok() && first_error.ok()) first_error = status;
  }
  if (first_error.ok())
    first_error = TakeConnectionOfTable(given.contains("connection"), declaration.options);
  if (!first_error.ok()) return first_error;
  if (declaration.options.create_missing && declaration.options.read_only) {
    return Status::Error("create=missing contradicts access=read: leave one out");
  }
  AZTABLES_RETURN_IF_ERROR(CheckTogether(declaration.options));
  return CheckTableName(declaration.options.table);
}

}  // namespace aztables
