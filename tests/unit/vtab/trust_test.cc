// Checks what the user named: by aztables_connect, CREATE VIRTUAL TABLE or AZTABLES_TRUST.
#include "vtab/trust/trust.h"

#include <gtest/gtest.h>

namespace aztables {
namespace {

class TrustTest : public testing::Test {
 protected:
  std::optional<Trust::Use> Use(std::string_view form) const {
    const auto use = trust_.UseOf(*InlineFormOf(form), form);
    if (use.ok()) return *use;
    EXPECT_EQ(use.status().code(), Code::kAuth);
    EXPECT_NE(use.status().message().find("SELECT aztables_connect('stored"), std::string::npos);
    return std::nullopt;
  }
  bool Writes(const std::string& name) const {
    return trust_.AllowsIndirectWrites(name, InlineFormOf(name));
  }

  std::string listed_;
  Trust trust_{[this](const std::string& name) {
    return name == "AZTABLES_TRUST" ? std::optional(listed_) : std::nullopt;
  }};
};

constexpr auto kNone = std::nullopt;
constexpr auto kReadOnly = Trust::Use::kReadOnly;
constexpr auto kAll = Trust::Use::kAll;

TEST_F(TrustTest, NothingAtFirst) {
  EXPECT_EQ(Use("LocalStore=/a"), kNone);
  EXPECT_FALSE(Writes("default"));
}

TEST_F(TrustTest, WhatIsConnected) {
  trust_.Connected("x", "localstore=/a");
  EXPECT_EQ(Use("LocalStore=/a"), kAll);
  EXPECT_EQ(Use("LocalStore=/b"), kNone);
  EXPECT_TRUE(Writes("x"));
  EXPECT_TRUE(Writes("LocalStore=/a"));
  EXPECT_FALSE(Writes("y"));
  trust_.Connected("x", "AccountName=a;AccountKey=c2VjcmV0");
  EXPECT_EQ(Use("LocalStore=/a"), kNone);
  EXPECT_TRUE(Writes("x"));
  trust_.Disconnected("x");
  EXPECT_FALSE(Writes("x"));
}

TEST_F(TrustTest, WhatIsCreated) {
  trust_.Created("LocalStore=/a");
  trust_.Created("default");
  EXPECT_EQ(Use("LocalStore=/a"), kAll);
  EXPECT_FALSE(Writes("LocalStore=/a"));
  EXPECT_FALSE(Writes("default"));
}

TEST_F(TrustTest, WhatTheEnvironmentLists) {
  listed_ = "prod\n LocalStore=/a \r\n\nfile:/b\nAccountKey=c2VjcmV0";
  EXPECT_EQ(Use("LocalStore=/a"), kAll);
  EXPECT_EQ(Use("file:/b"), kAll);
  EXPECT_EQ(Use("file:/c"), kNone);
  EXPECT_TRUE(Writes("prod"));
  EXPECT_TRUE(Writes("file:/b"));
  EXPECT_FALSE(Writes("pro"));
  EXPECT_FALSE(Writes(""));
}

TEST_F(TrustTest, ReadOnlyBinds) {
  trust_.Created("LocalStore=/a");
  trust_.Connected("x", "LocalStore=/a;ReadOnly=true");
  EXPECT_EQ(Use("LocalStore=/a"), kReadOnly);
  trust_.Connected("y", "LocalStore=/a");
  EXPECT_EQ(Use("LocalStore=/a"), kReadOnly);
  trust_.Disconnected("x");
  EXPECT_EQ(Use("LocalStore=/a"), kAll);
  listed_ = "LocalStore=/a;ReadOnly=true";
  EXPECT_EQ(Use("LocalStore=/a"), kReadOnly);
}

}  // namespace
}  // namespace aztables
