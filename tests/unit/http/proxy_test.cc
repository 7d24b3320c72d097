// Checks which requests use a proxy of the environment, and the advice that names its variable.
#include "http/proxy.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace aztables {
namespace {

class ProxyTest : public testing::Test {
 protected:
  void SetUp() override { Clear(); }
  void TearDown() override { Clear(); }
  static void Set(const char* name, const char* value) { setenv(name, value, 1); }

 private:
  static void Clear() {
    for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
                             "no_proxy", "NO_PROXY"}) {
      unsetenv(name);
    }
  }
};

constexpr char kStorage[] = "https://contoso.table.core.windows.net";

TEST_F(ProxyTest, LoopbackIsDirect) {
  for (const char* origin : {"http://127.0.0.1:10002", "http://127.8.8.8", "https://localhost:8081",
                             "http://[::1]:10002", "http://shop.localhost"}) {
    EXPECT_TRUE(IsDirect(origin)) << origin;
  }
  for (const char* origin : {kStorage, "http://127.example.com", "http://10.0.0.1", "http://[::2]",
                             "http://localhost.example.com"}) {
    EXPECT_FALSE(IsDirect(origin)) << origin;
  }
}

TEST_F(ProxyTest, TheAdviceNamesTheVariableAndNotItsValue) {
  EXPECT_EQ(ProxyAdvice(kStorage), "");
  Set("http_proxy", "http://user:secret@proxy:3128");
  EXPECT_EQ(ProxyAdvice(kStorage), "") << "the variable is for http";
  EXPECT_EQ(ProxyAdvice("http://example.com"),
            "; the variable http_proxy names a proxy: check it, or add the host to no_proxy");
  EXPECT_EQ(ProxyAdvice("http://127.0.0.1:10002"), "");
  Set("ALL_PROXY", "socks5://proxy");
  EXPECT_NE(ProxyAdvice(kStorage).find("the variable ALL_PROXY "), std::string::npos);
  Set("HTTPS_PROXY", "http://proxy");
  EXPECT_NE(ProxyAdvice(kStorage).find("the variable HTTPS_PROXY "), std::string::npos);
}

TEST_F(ProxyTest, NoProxyExcludesHosts) {
  Set("https_proxy", "http://proxy");
  for (const char* list :
       {"*", "contoso.table.core.windows.net", "a, .windows.net", "x,Windows.Net"}) {
    Set("no_proxy", list);
    EXPECT_EQ(ProxyAdvice(kStorage), "") << list;
  }
  for (const char* list :
       {"", "other.net", "indows.net", "https://contoso.table.core.windows.net"}) {
    Set("no_proxy", list);
    EXPECT_NE(ProxyAdvice(kStorage), "") << list;
  }
}

}  // namespace
}  // namespace aztables
