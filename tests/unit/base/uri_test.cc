// Checks endpoints: their parts, all errors, and that no error repeats the input.
#include "base/uri.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

struct GoodCase {
  const char* text;
  const char* scheme;
  const char* host;
  int port;
  const char* path;
  const char* origin;
};

constexpr GoodCase kGood[] = {
    {"https://acct.table.core.windows.net", "https", "acct.table.core.windows.net", 0, "",
     "https://acct.table.core.windows.net"},
    {"https://acct.table.core.windows.net/", "https", "acct.table.core.windows.net", 0, "",
     "https://acct.table.core.windows.net"},
    {"HTTPS://Acct.Table.Core.Windows.NET", "https", "acct.table.core.windows.net", 0, "",
     "https://acct.table.core.windows.net"},
    {"http://127.0.0.1:10002/devstoreaccount1", "http", "127.0.0.1", 10002, "/devstoreaccount1",
     "http://127.0.0.1:10002"},
    {"http://127.0.0.1:10002/devstoreaccount1///", "http", "127.0.0.1", 10002, "/devstoreaccount1",
     "http://127.0.0.1:10002"},
    {"https://a.table.cosmos.azure.com:443/", "https", "a.table.cosmos.azure.com", 443, "",
     "https://a.table.cosmos.azure.com:443"},
    {"http://[::1]:10002/x", "http", "[::1]", 10002, "/x", "http://[::1]:10002"},
    {"http://[FE80::1]", "http", "[fe80::1]", 0, "", "http://[fe80::1]"},
    {"http://localhost:1", "http", "localhost", 1, "", "http://localhost:1"},
    {"http://host:65535/A/B%2Fc", "http", "host", 65535, "/A/B%2Fc", "http://host:65535"},
    {"http://azurite_1.local/p:q@r", "http", "azurite_1.local", 0, "/p:q@r",
     "http://azurite_1.local"},
};

TEST(UriTest, Good) {
  for (const GoodCase& good : kGood) {
    const auto uri = ParseEndpoint(good.text);
    ASSERT_TRUE(uri.ok()) << good.text << ": " << uri.status().message();
    EXPECT_EQ(uri->scheme, good.scheme) << good.text;
    EXPECT_EQ(uri->host, good.host) << good.text;
    EXPECT_EQ(uri->port, good.port) << good.text;
    EXPECT_EQ(uri->path, good.path) << good.text;
    EXPECT_EQ(uri->Origin(), good.origin) << good.text;
    EXPECT_EQ(uri->ToString(), std::string(good.origin) + good.path) << good.text;
  }
}

// `sentinel` represents a misplaced secret; the error must not contain it. `reason` is a part of
// the expected message.
struct BadCase {
  const char* text;
  const char* reason;
};

constexpr BadCase kBad[] = {
    {"", "http"},
    {"sentinel", "http"},
    {"sentinel.example/sentinel", "http"},
    {"//sentinel", "http"},
    {"ftp://sentinel", "http"},
    {"file:///sentinel", "http"},
    {"httpss://sentinel", "http"},
    {" https://sentinel", "http"},
    {"https:/sentinel", "http"},
    {"sentinel://sentinel", "http"},
    {"https://", "no host"},
    {"https:///sentinel", "no host"},
    {"https://:443", "no host"},
    {"https://sentinel:", "port"},
    {"https://sentinel:0", "port"},
    {"https://sentinel:65536", "port"},
    {"https://sentinel:99999999999999999999", "port"},
    {"https://sentinel:+80", "port"},
    {"https://sentinel:-1", "port"},
    {"https://sentinel:80a", "port"},
    {"https://host:sentinel", "port"},
    {"https://user:sentinel@host", "user name"},
    {"https://sentinel@host/path", "user name"},
    {"https://host?sig=sentinel", "query"},
    {"https://host/?sig=sentinel", "query"},
    {"https://host/path#sentinel", "query"},
    {"https://host/sv=1&sig=sentinel", "may be a key"},
    {"https://host/%3Fsv%3D1%26sig%3Dsentinel", "may be a key"},
    {"https://host/sentinel==", "may be a key"},
    {"https://host/path/sentinel==/", "may be a key"},
    {"https://host/sentinel=//", "may be a key"},
    {"https://host/AccountKey=sentinel", "may be a key"},
    {"https://sentinel host", "blank"},
    {"https://host/sentinel path", "blank"},
    {"https://host/sentinel\r\nX: y", "blank"},
    {"https://host/sentinel\x7F", "blank"},
    {"https://sentinel!", "character"},
    {"https://sentinel,host", "character"},
    {"https://sentinel\\host", "character"},
    {"https://sentinel%41", "character"},
    {"https://sentinel\xC3\xB6", "character"},
    {"https://host/sentinel\xC3\xB6", "percent"},
    {"http://[", "]"},
    {"http://[::1", "port"},
    {"http://[]", "no host"},
    {"http://[]:80/sentinel", "no host"},
    {"http://[sentinel!]", "character"},
    {"http://[::1]sentinel", "character"},
    {"http://[::1]]:80", "character"},
    {"http://sentinel]:80", "character"},
};

TEST(UriTest, Refusals) {
  for (const BadCase& bad : kBad) {
    const auto uri = ParseEndpoint(bad.text);
    ASSERT_FALSE(uri.ok()) << bad.text;
    const std::string message(uri.status().message());
    EXPECT_EQ(uri.status().code(), Code::kError) << bad.text;
    EXPECT_NE(message.find("endpoint is malformed"), std::string::npos) << message;
    EXPECT_NE(message.find(bad.reason), std::string::npos) << bad.text << ": " << message;
    EXPECT_EQ(message.find("sentinel"), std::string::npos) << message;
  }
}

TEST(UriTest, NoControlCharacterPassesAnywhere) {
  for (unsigned c = 0; c <= 0x20; ++c) {
    for (const char* front : {"https://ho", "https://host:8", "https://host/pa"}) {
      std::string text = front;
      text += static_cast<char>(c);
      text += "0";
      EXPECT_FALSE(ParseEndpoint(text).ok()) << front << " with byte " << c;
    }
  }
}

}  // namespace
}  // namespace aztables
