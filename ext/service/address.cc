// Reads addresses: see address.h.
#include "service/address.h"

#include "auth/connection_settings.h"
#include "base/encoding.h"
#include "service/storage_error.h"

namespace aztables {
namespace {

constexpr std::string_view kSecondary = "-secondary";

// Removes the prefix `word` from `text`; false if `text` has another one.
bool Take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

// Removes a quoted prefix from `text`. Doubled quotes in it become one.
bool TakeQuoted(std::string_view& text, std::string& value) {
  value.clear();
  if (!Take(text, "'")) return false;
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '\'' && !Take(text, "'")) return true;
    value += c;
  }
  return false;
}

bool TakeKeys(std::string_view& text, Address& address) {
  if (Take(text, "PartitionKey=")) {
    return TakeQuoted(text, address.partition_key) && Take(text, ",RowKey=") &&
           TakeQuoted(text, address.row_key);
  }
  return Take(text, "RowKey=") && TakeQuoted(text, address.row_key) &&
         Take(text, ",PartitionKey=") && TakeQuoted(text, address.partition_key);
}

Status NoResource() { return ToStatus(errors::kInvalidUri); }

// Reads the decoded path after the account, without its first "/".
Status ParseResource(std::string_view text, Address& address) {
  if (text.empty()) return {};
  if (text == "$batch") {
    address.resource = Address::Resource::kBatch;
    return {};
  }
  const size_t open = text.find('(');
  address.table = text.substr(0, open);
  if (address.table.find('/') != std::string::npos) return NoResource();
  const bool tables = address.table == "Tables";
  address.resource = tables ? Address::Resource::kTables : Address::Resource::kEntities;
  if (tables) address.table.clear();
  if (open == std::string_view::npos || text.substr(open) == "()") return {};
  text.remove_prefix(open + 1);
  if (tables) {
    address.resource = Address::Resource::kTable;
    return TakeQuoted(text, address.table) && text == ")" ? Status() : NoResource();
  }
  address.resource = Address::Resource::kEntity;
  return TakeKeys(text, address) && text == ")" ? Status() : NoResource();
}

// Sets the account that `name`, or `name` without the secondary's suffix, names; false if it is not
// served.
bool NameAccount(std::string_view name, const ServesAccount& serves, Address& address) {
  const bool secondary = name.ends_with(kSecondary) && !serves(name);
  if (secondary) name.remove_suffix(kSecondary.size());
  if (!serves(name)) return false;
  address.account = name;
  address.secondary = secondary;
  return true;
}

bool IsIpAddress(std::string_view host) {
  return host.starts_with('[') || host.find_first_not_of("0123456789.:") == std::string_view::npos;
}

// The labels of a host that may name an account.
struct HostLabels {
  std::string account;     // in lower case; empty: the host names none
  bool of_tables = false;  // account.table.host
};
HostLabels LabelsOf(std::string_view host) {
  const size_t dot = host.find('.');
  if (dot == std::string_view::npos || IsIpAddress(host)) return {};
  const std::string rest = ToLowerAscii(host.substr(dot + 1));
  return {ToLowerAscii(host.substr(0, dot)), rest.starts_with("table.")};
}

// Removes the account from `path`. An account and the machine may have the same name. If the path
// continues after the name, the name is the account. Otherwise it may be a table, but only if the
// host has the form account.table.host.
bool TakeAccount(std::string_view& path, std::string_view host, const ServesAccount& serves,
                 Address& address) {
  const HostLabels labels = LabelsOf(host);
  const std::string_view first = path.substr(0, path.find('/'));
  const bool goes_on = path.size() > first.size() + 1;
  Address in_path;
  const bool is_in_path = NameAccount(first, serves, in_path);
  if (!(is_in_path && (goes_on || !labels.of_tables)) && !labels.account.empty() &&
      NameAccount(labels.account, serves, address)) {
    return true;
  }
  if (!is_in_path) return false;
  address = std::move(in_path);
  address.base = "/" + std::string(first);
  path.remove_prefix(first.size());
  if (path.starts_with('/')) path.remove_prefix(1);
  return true;
}

}  // namespace

Result<Address> ParseAddress(std::string_view path, std::string_view host,
                             const ServesAccount& serves) {
  Address address;
  if (path.starts_with('/')) path.remove_prefix(1);
  if (!serves) {
    address.account = EmulatorAccount().name;
  } else if (!TakeAccount(path, host, serves, address)) {
    return ToStatus(errors::kResourceNotFound,
                    "The specified resource does not exist: this server has no such account.");
  }
  const std::string text = PercentDecode(path);
  if (!IsValidUtf8(text)) return ToStatus(errors::kInvalidInput);
  AZTABLES_RETURN_IF_ERROR(ParseResource(text, address));
  return address;
}

bool NamesOtherAccount(std::string_view host, const ServesAccount& serves,
                       std::string_view account) {
  const HostLabels labels = LabelsOf(host);
  Address named;
  if (labels.account.empty()) return false;
  return NameAccount(labels.account, serves, named) && named.account != account;
}

std::string EntityPath(std::string_view table, std::string_view partition_key,
                       std::string_view row_key) {
  std::string path(table);
  const auto append = [&path](std::string_view of) {
    const std::string key = WithoutLoneSurrogates(of);  // no URL can name one
    for (std::string_view rest = key;;) {
      AppendPercentEncoded(path, rest.substr(0, rest.find('\'')));
      if (rest.find('\'') == rest.npos) return;
      path += "''";
      rest.remove_prefix(rest.find('\'') + 1);
    }
  };
  path += "(PartitionKey='";
  append(partition_key);
  path += "',RowKey='";
  append(row_key);
  path += "')";
  return path;
}

}  // namespace aztables
