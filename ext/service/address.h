// Address: the resource that the path of a request names. The account is in the path, as in
// http://127.0.0.1:10002/account/Table, or in the host, as in http://account.table.localhost/Table.
// Source: Microsoft, "Addressing Table service resources".
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace aztables {

struct Address {
  enum class Resource : uint8_t {
    kService,   // /
    kTables,    // /Tables
    kTable,     // /Tables('x')
    kEntities,  // /x or /x()
    kEntity,    // /x(PartitionKey='p',RowKey='r')
    kBatch,     // /$batch
  };
  Resource resource = Resource::kService;
  std::string account;
  bool secondary = false;  // account-secondary
  std::string base;        // path before the resource: "" or "/account"
  std::string table;
  std::string partition_key;
  std::string row_key;
};

// Reads the percent-encoded `path`; `host` is the Host header, which may be empty. An account in
// the path takes precedence over one in the host. An IP address names none. `serves` decides which
// accounts are served here. If it is null, the request is from this process: its path names no
// account, and the emulators' account is meant.
// Errors: storage errors.
using ServesAccount = std::function<bool(std::string_view account)>;
Result<Address> ParseAddress(std::string_view path, std::string_view host,
                             const ServesAccount& serves);

// Whether `host` names an account other than `account` that is served here.
bool NamesOtherAccount(std::string_view host, const ServesAccount& serves,
                       std::string_view account);

// "T(PartitionKey='p',RowKey='r')" as the service writes it in Location and odata.id: keys are
// percent-encoded, except for quotes, which are doubled.
std::string EntityPath(std::string_view table, std::string_view partition_key,
                       std::string_view row_key);

}  // namespace aztables
