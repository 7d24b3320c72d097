// Checks failing connections over the network: a wrong key, an unknown host, a closed port, and
// connections that the server has closed.
#include <chrono>
#include <string>
#include <thread>

#include "raw_test_base.h"

namespace aztables {
namespace {

class HttpRefusedTest : public HttpTest {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(HttpTest::SetUp());
    options_.retries = 0;
    options_.timeout = std::chrono::milliseconds(20'000);
    ASSERT_TRUE(support::Insert(log_, 1, {"p", "r", {}}).ok());
  }

  // The test's connection string with one part changed.
  std::unique_ptr<Wire> WireWith(const std::string& key, const std::string& value) const {
    std::string text = connection_string_;
    const size_t at = text.find(key + "=");
    EXPECT_NE(at, std::string::npos);
    const size_t begin = at + key.size() + 1;
    text.replace(begin, text.find(';', begin) - begin, value);
    auto settings = ParseConnectionString(text);
    EXPECT_TRUE(settings.ok()) << settings.status().message();
    return std::make_unique<Wire>(std::move(*settings));
  }
  Status ReadOn(const Wire& wire, EntityQuery query) const {
    PageStream stream(&wire.client(), std::move(query), {}, 0, options_);
    return stream.NextPage(cancel_).status();
  }
  Status WriteOn(const Wire& wire) const {
    TableWrites writes = Writes(log_);
    writes.to.client = &wire.client();
    return support::Commit({writes}, cancel_);
  }

  WriteLog log_;
};

TEST_F(HttpRefusedTest, AWrongKey) {
  const char* const code =
      Differs(Difference::kAuthenticationFailure) ? "AuthorizationFailure" : "AuthenticationFailed";
  const auto wire = WireWith("AccountKey", "bm90IHRoZSBrZXk=");
  for (const Status& status :
       {ReadOn(*wire, Query()), ReadOn(*wire, Point("p", "r")), WriteOn(*wire),
        wire->client().ListTables(options_, cancel_).status(),
        wire->client().CreateTable(table_, options_, cancel_).status(),
        wire->client().DeleteTable(table_, options_, cancel_).status()}) {
    EXPECT_EQ(status.code(), Code::kAuth) << status.message();
    EXPECT_EQ(status.failure().http_status, 403);
    EXPECT_EQ(status.failure().code, code);
    EXPECT_FALSE(status.failure().may_have_reached);
    EXPECT_NE(status.message().find("check the key or SAS of connection 'demo'"),
              std::string_view::npos)
        << status.message();
    EXPECT_EQ(status.message().find("bm90"), std::string_view::npos);
  }
  EXPECT_EQ(Read(Query()), KeyPairs{});
}

TEST_F(HttpRefusedTest, NobodyListens) {
  const auto wire = WireWith("TableEndpoint", "http://127.0.0.1:1/devstoreaccount1");
  for (const Status& status : {ReadOn(*wire, Query()), WriteOn(*wire)}) {
    EXPECT_EQ(status.code(), Code::kBusy);
    EXPECT_EQ(status.failure().http_status, 0);
    EXPECT_FALSE(status.failure().may_have_reached);
    EXPECT_NE(status.message().find("cannot reach http://127.0.0.1:1"), std::string_view::npos)
        << status.message();
    EXPECT_NE(status.message().find("table " + table_), std::string_view::npos);
  }
  const Status written = WriteOn(*wire);
  EXPECT_EQ(written.code(), Code::kBusy) << "it can be repeated";
  EXPECT_TRUE(written.message().ends_with("; 0 of 1 EGTs applied: see aztables_commits"));
  EXPECT_EQ(written.message().find("unknown"), std::string_view::npos) << written.message();
}

TEST_F(HttpRefusedTest, AHostThatDoesNotExist) {
  const auto wire = WireWith("TableEndpoint", "http://no-such-host.invalid/devstoreaccount1");
  for (const Status& status : {ReadOn(*wire, Query()), WriteOn(*wire)}) {
    EXPECT_EQ(status.code(), Code::kBusy);
    EXPECT_FALSE(status.failure().may_have_reached);
    EXPECT_NE(status.message().find("http://no-such-host.invalid"), std::string_view::npos)
        << status.message();
  }
}

TEST_F(HttpRefusedTest, AHostThatNeverAnsweredIsTriedTwice) {
  const auto wire = WireWith("TableEndpoint", "http://127.0.0.1:1/devstoreaccount1");
  options_.retries = 2;
  const Status status = ReadOn(*wire, Query());
  EXPECT_NE(status.message().find(", after 2 attempts"), std::string_view::npos)
      << status.message();
  EXPECT_EQ(wire->log().At(wire->log().size() - 1).attempts, 2);
}

TEST_F(HttpRefusedTest, AnotherAccountInThePath) {
  // The service has the account in the host, so this concerns servers with the account in the path.
  const auto wire = WireWith("AccountName", "someoneelse");
  const Status status = ReadOn(*wire, Query());
  EXPECT_FALSE(status.ok());
  EXPECT_GE(status.failure().http_status, 400);
}

TEST_F(HttpRefusedTest, AConnectionThatTheServerClosedMeanwhile) {
  // Both servers close idle connections after 5 s at most.
  EXPECT_EQ(Read(Query()), KeyPairs{});
  std::this_thread::sleep_for(std::chrono::milliseconds(5'500));
  const Status status = Commit(log_);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(Read(Query()), (KeyPairs{{"p", "r"}}));
}

}  // namespace
}  // namespace aztables
