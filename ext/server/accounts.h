// Reads accounts from options, the environment and a file: NAME:KEY or NAME:KEY1:KEY2, with keys in
// base64.
//
// Errors never repeat their input, since it may contain a key.
// Thread rule: values and free functions; any thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/secret.h"
#include "base/status.h"

namespace aztables {

// The decoded keys of each account, as in ServiceOptions.
using ServedAccounts = std::map<std::string, std::vector<Secret>, std::less<>>;

// Adds one account. A duplicate name is an error.
Status AddAccount(std::string_view text, ServedAccounts& accounts);
// The same for several accounts, separated by `separator`. Blank ones and those with "#" at their
// front are skipped. An error contains the number of the wrong account, from 1.
Status AddAccounts(std::string_view text, char separator, ServedAccounts& accounts);
// The same for the lines of a file.
Status AddAccountsOfFile(const std::string& path, ServedAccounts& accounts);
// The published account of the emulators.
void AddEmulatorAccount(ServedAccounts& accounts);

// Whether a key of any account is the published one.
bool HavePublishedKey(const ServedAccounts& accounts);

// A printable account: its key only if that is published, else "<key>".
struct ShownAccount {
  std::string name;
  std::string key;
};
std::vector<ShownAccount> Show(const ServedAccounts& accounts);
std::string ConnectionString(const ShownAccount& account, std::string_view origin);

}  // namespace aztables
