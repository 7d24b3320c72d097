// The accounts of the server: see accounts.h.
#include "server/accounts.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "auth/connection_settings.h"
#include "base/encoding.h"

namespace aztables {
namespace {

constexpr size_t kMostKeys = 2;  // an account of the service has two
constexpr size_t kMostFileBytes = size_t{1} << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // some editors write it

bool IsServedName(std::string_view name) {
  return name.size() >= 3 && name.size() <= 24 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == std::string_view::npos;
}

// The published key of the emulators, decoded.
std::string PublishedKey() {
  std::string key;
  Base64Decode(EmulatorAccount().key, key);
  return key;
}

}  // namespace

Status AddAccount(std::string_view text, ServedAccounts& accounts) {
  if (text.find(':') == std::string_view::npos) {
    return Status::Error("an account is written NAME:KEY or NAME:KEY1:KEY2");
  }
  const std::string_view name = TakeUntil(text, ':');
  if (!IsServedName(name)) {
    return Status::Error("an account's name has 3 to 24 lower-case letters and digits");
  }
  if (accounts.find(name) != accounts.end()) {
    return Status::Error("an account's name is given twice");
  }
  std::vector<Secret> keys;
  do {
    if (keys.size() == kMostKeys) return Status::Error("an account has one or two keys");
    std::string key;
    if (!Base64Decode(TakeUntil(text, ':'), key) || key.empty()) {
      return Status::Error("an account's key is not base64");
    }
    keys.emplace_back(std::move(key));
  } while (!text.empty());
  accounts.emplace(name, std::move(keys));
  return {};
}

Status AddAccounts(std::string_view text, char separator, ServedAccounts& accounts) {
  for (int number = 1; !text.empty(); ++number) {
    std::string_view part = TrimBlanks(TakeUntil(text, separator));
    if (part.ends_with('\r')) part.remove_suffix(1);
    if (part.empty() || part.front() == '#') continue;
    if (const Status status = AddAccount(part, accounts); !status.ok()) {
      return status.In("account " + std::to_string(number));
    }
  }
  return {};
}

Status AddAccountsOfFile(const std::string& path, ServedAccounts& accounts) {
  std::string text(kMostFileBytes, '\0');
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  const size_t size = file ? std::fread(text.data(), 1, text.size(), file.get()) : 0;
  if (!file || std::ferror(file.get()) != 0 || size == text.size()) {
    WipeString(text);
    return Status::Error("cannot be read: a file with one account a line is required");
  }
  const size_t before = accounts.size();
  std::string_view lines = std::string_view(text).substr(0, size);
  if (lines.starts_with(kByteOrderMark)) lines.remove_prefix(kByteOrderMark.size());
  Status status = AddAccounts(lines, '\n', accounts);
  WipeString(text);
  if (status.ok() && accounts.size() == before) return Status::Error("names no account");
  return status;
}

void AddEmulatorAccount(ServedAccounts& accounts) {
  accounts[std::string(EmulatorAccount().name)].emplace_back(PublishedKey());
}

bool HavePublishedKey(const ServedAccounts& accounts) {
  return std::any_of(accounts.begin(), accounts.end(), [](const auto& account) {
    return std::any_of(account.second.begin(), account.second.end(),
                       [](const Secret& key) { return key.Reveal() == PublishedKey(); });
  });
}

std::vector<ShownAccount> Show(const ServedAccounts& accounts) {
  std::vector<ShownAccount> shown;
  for (const auto& [name, keys] : accounts) {
    const bool is_public = !keys.empty() && keys.front().Reveal() == PublishedKey();
    shown.push_back({name, is_public ? std::string(EmulatorAccount().key) : "<key>"});
  }
  return shown;
}

std::string ConnectionString(const ShownAccount& account, std::string_view origin) {
  return "DefaultEndpointsProtocol=http;AccountName=" + account.name +
         ";AccountKey=" + account.key + ";TableEndpoint=" + std::string(origin) + "/" +
         account.name;
}

}  // namespace aztables
