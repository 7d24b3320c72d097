// Checks files of accounts: lines, comments, errors.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "server/accounts.h"

namespace aztables {
namespace {

Status AddTextAsFile(const std::string& text, ServedAccounts& accounts) {
  std::string path = testing::TempDir() + "accountsXXXXXX";
  const int descriptor = mkstemp(path.data());
  EXPECT_GE(descriptor, 0);
  EXPECT_EQ(write(descriptor, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  close(descriptor);
  Status status = AddAccountsOfFile(path, accounts);
  std::remove(path.c_str());
  return status;
}

TEST(AccountsFile, HasOneAccountALine) {
  ServedAccounts accounts;
  const Status status =
      AddTextAsFile("# ours\r\nabc:QUJD\r\n\n  def:WFla:QUJD  \n#ghi:QUJD\nxyz:QUJD", accounts);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(accounts.size(), 3U);
  EXPECT_EQ(accounts.find("def")->second.size(), 2U);
}

TEST(AccountsFile, MayBeginWithAByteOrderMark) {
  ServedAccounts accounts;
  const Status status = AddTextAsFile(
      "\xEF\xBB\xBF"
      "abc:QUJD\r\n",
      accounts);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(accounts.count("abc"), 1U);
}

TEST(AccountsFile, NamesTheLineThatIsWrong) {
  ServedAccounts accounts;
  EXPECT_EQ(AddTextAsFile("abc:QUJD\n\nQUJDQUJD\n", accounts).message(),
            "account 3: an account is written NAME:KEY or NAME:KEY1:KEY2");
}

TEST(AccountsFile, MustHoldSomething) {
  ServedAccounts accounts;
  EXPECT_EQ(AddTextAsFile("# nothing\n", accounts).message(), "names no account");
  for (const std::string& path : {testing::TempDir(), std::string("no/such/file")}) {
    EXPECT_EQ(AddAccountsOfFile(path, accounts).message(),
              "cannot be read: a file with one account a line is required");
  }
}

}  // namespace
}  // namespace aztables
