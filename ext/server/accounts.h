// Accounts as the server's options, its environment and a file give them: NAME:KEY or
// NAME:KEY1:KEY2, keys in base64.
//
// Errors never repeat what was given: it may be a key in the wrong place.
// Thread rule: values and free functions; any thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/secret.h"
#include "base/status.h"

namespace aztables {

// By name, each with its one or two keys, decoded: what ServiceOptions takes.
using ServedAccounts = std::map<std::string, std::vector<Secret>, std::less<>>;

// Adds what one text says. Refuses a name that is there already.
Status AddAccount(std::string_view text, ServedAccounts& accounts);
// The same for several, separated by `separator`; blank ones and those that begin with "#" are left
// out. An error names the one that is wrong by its number, from 1.
Status AddAccounts(std::string_view text, char separator, ServedAccounts& accounts);
// The same for the lines of the file at `path`.
Status AddAccountsOfFile(const std::string& path, ServedAccounts& accounts);
// The published account of the emulators.
void AddEmulatorAccount(ServedAccounts& accounts);

// Whether a key of any account is the published one.
bool HavePublishedKey(const ServedAccounts& accounts);

// What may be shown of an account: its key only where that is published, else "<key>".
struct ShownAccount {
  std::string name;
  std::string key;
};
std::vector<ShownAccount> Show(const ServedAccounts& accounts);
std::string ConnectionString(const ShownAccount& account, std::string_view origin);

}  // namespace aztables
