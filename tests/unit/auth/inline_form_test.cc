// Checks which connections are inline forms, and when two of them are equal.
#include "auth/inline_form.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

std::string Form(std::string_view connection) {
  const auto form = InlineFormOf(connection);
  return form ? form->text + (form->read_only ? ";ReadOnly" : "") : "none";
}

TEST(InlineFormTest, OneSpelling) {
  EXPECT_EQ(Form("LocalStore=/a/b.db"), "LocalStore=/a/b.db");
  EXPECT_EQ(Form(" localstore = /a/./x/../b.db ;"), "LocalStore=/a/b.db");
  EXPECT_EQ(Form("LOCALSTORE=:memory:"), "LocalStore=:memory:");
  EXPECT_EQ(Form("LocalStore=b.db"), Form("LocalStore=./b.db"));
  EXPECT_NE(Form("LocalStore=b.db"), "LocalStore=b.db");  // it includes the folder
  EXPECT_EQ(Form("UseDevelopmentStorage=TRUE;"), "UseDevelopmentStorage=true");
  EXPECT_EQ(Form("env:PROD"), "env:PROD");
  EXPECT_EQ(Form("file:/a//b"), "file:/a/b");
}

TEST(InlineFormTest, ReadOnly) {
  EXPECT_EQ(Form("LocalStore=/b.db;ReadOnly=true"), "LocalStore=/b.db;ReadOnly");
  EXPECT_EQ(Form("readonly=YES;LocalStore=/b.db"), "LocalStore=/b.db;ReadOnly");
  EXPECT_EQ(Form("LocalStore=/b.db;ReadOnly=false"), "LocalStore=/b.db");
}

TEST(InlineFormTest, OthersAreNone) {
  for (const char* other :
       {"", "prod", ";", "ReadOnly=true", "LocalStore=", "UseDevelopmentStorage=false",
        "UseDevelopmentStorage=true;LocalStore=a", "LocalStore=a;LocalStore=b",
        "UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://h",
        "AccountName=a;AccountKey=c2VjcmV0", "LocalStore=a;AccountKey=c2VjcmV0"}) {
    EXPECT_EQ(Form(other), "none") << other;
  }
}

}  // namespace
}  // namespace aztables
