// Checks which values of the header Host name the server.
#include "server/allowed_hosts.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

TEST(AllowedHosts, AreAddressesLocalhostAndNamesThatWereAdded) {
  AllowedHosts hosts;
  ASSERT_TRUE(hosts.Add("Tables").ok());
  ASSERT_TRUE(hosts.Add("db.example.com.").ok());
  for (const char* host :
       {"127.0.0.1", "127.0.0.1:10002", "10.1.2.3:80", "0.0.0.0", "[::1]", "[::1]:10002",
        "[fe80::1%eth0]:1", "[::ffff:127.0.0.1]", "localhost", "LOCALHOST:10002", "localhost.",
        "account.table.localhost", "a.LocalHost:1", "tables", "TABLES:10002", "db.example.com",
        "DB.Example.Com.:80", "localhost:"}) {
    EXPECT_TRUE(hosts.Allows(host)) << host;
  }
  for (const char* host : {"",
                           ":10002",
                           "evil.com",
                           "localhost.evil.com",
                           "evillocalhost",
                           "127.0.0.1.evil.com",
                           "127.0.0.1..",
                           "127.1",
                           "2130706433",
                           "0x7f.0.0.1",
                           "1.2.3.4.5",
                           "::1",
                           "[::1",
                           "::1]",
                           "[::1]x",
                           "[127.0.0.1]",
                           "[evil.com]",
                           "[evil.com]:1",
                           "localhost:x",
                           "localhost:1:2",
                           "localhost..",
                           "x.tables",
                           "example.com",
                           "localhost evil.com",
                           "localhost,evil.com",
                           "evil.com#localhost",
                           "evil.com/.localhost:x"}) {
    EXPECT_FALSE(hosts.Allows(host)) << host;
  }
  EXPECT_FALSE(AllowedHosts().Allows("tables"));
}

TEST(AllowedHosts, OthersAreRefused) {
  const AllowedHosts hosts;
  Headers headers;
  EXPECT_FALSE(hosts.Refuse(headers)) << "HTTP/1.0 has none";
  headers.Set("Host", "127.0.0.1:1");
  EXPECT_FALSE(hosts.Refuse(headers));
  headers.Set("Host", "evil.com");
  const auto refused = hosts.Refuse(headers);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 403);
  EXPECT_NE(refused->body.find("--allow-host NAME"), std::string::npos);
  EXPECT_EQ(refused->body.find("evil"), std::string::npos);
}

}  // namespace
}  // namespace aztables
