// Checks shared access signatures of a table and of the account: the permitted operations, and the
// errors for all others.
#include <map>
#include <string>

#include "raw_test_base.h"

namespace aztables {
namespace {

using Options = std::map<std::string, std::string>;

constexpr const char* kVersion = "2019-02-02";
constexpr const char* kFarAway = "2100-01-01T00:00:00Z";

class HttpSasTest : public HttpTest {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(HttpTest::SetUp());
    for (const char* row : {"a", "b", "c", "d", "e"}) ASSERT_EQ(Insert(row).status, 201);
  }

  // A connection with this SAS instead of the key.
  std::unique_ptr<Wire> WireWith(Options options, const std::string& text) const {
    options["sig"] = Base64Encode(*HmacSha256(wire_->settings().key.Reveal(), text));
    std::string sas;
    for (const auto& [name, value] : options) {
      if (!sas.empty()) sas += '&';
      sas += name + "=" + PercentEncode(value);
    }
    auto settings =
        ParseConnectionString("TableEndpoint=" + wire_->settings().endpoint.Origin() +
                              wire_->settings().endpoint.path + ";SharedAccessSignature=" + sas);
    EXPECT_TRUE(settings.ok()) << settings.status().message();
    return std::make_unique<Wire>(std::move(*settings));
  }
  static std::string Lines(const Options& options, std::initializer_list<const char*> names) {
    std::string text;
    for (const char* name : names) {
      const auto found = options.find(name);
      if (found != options.end()) text += found->second;
      text += '\n';
    }
    return text;
  }
  // Source: Microsoft, "Create a service SAS" and "Create an account SAS".
  std::unique_ptr<Wire> TableSas(Options options) const {
    options.emplace("sv", kVersion);
    options.emplace("tn", table_);
    if (options.count("si") == 0) options.emplace("se", kFarAway);
    std::string text = Lines(options, {"sp", "st", "se"}) + "/table/" + wire_->settings().account +
                       "/" + table_ + "\n" +
                       Lines(options, {"si", "sip", "spr", "sv", "spk", "srk", "epk", "erk"});
    text.pop_back();
    return WireWith(std::move(options), text);
  }
  std::unique_ptr<Wire> AccountSas(Options options) const {
    options.emplace("sv", kVersion);
    options.emplace("ss", "t");
    options.emplace("se", kFarAway);
    const std::string text = wire_->settings().account + "\n" +
                             Lines(options, {"sp", "ss", "srt", "st", "se", "sip", "spr", "sv"});
    return WireWith(std::move(options), text);
  }

  // The outcome of one request of each kind on an entity.
  std::string TryQuery(Wire& wire) const {
    const ParsedResponse response = SendOn(wire, {.path = table_ + "()"});
    return response.status == 200 ? RowKeys(response) : response.outcome();
  }
  std::string TryGet(Wire& wire, const std::string& row) const {
    return SendOn(wire, {.path = Address("p", row)}).outcome();
  }
  std::string TryInsert(Wire& wire, const std::string& row) const {
    return SendOn(wire, {.method = "POST", .path = table_, .body = Body(row)}).outcome();
  }
  std::string TryMerge(Wire& wire, const std::string& row, bool if_match) const {
    Ask ask{.method = "MERGE", .path = Address("p", row), .body = R"({"A":1})"};
    if (if_match) ask.headers.emplace_back("If-Match", "*");
    return SendOn(wire, ask).outcome();
  }
  std::string TryDelete(Wire& wire, const std::string& row) const {
    return SendOn(wire,
                  {.method = "DELETE", .path = Address("p", row), .headers = {{"If-Match", "*"}}})
        .outcome();
  }

  static constexpr const char* kNotPermitted = "403 AuthorizationPermissionMismatch";
  static std::string Failed() {
    return Differs(Difference::kAuthenticationFailure) ? "403 AuthorizationFailure"
                                                       : "403 AuthenticationFailed";
  }
};

TEST_F(HttpSasTest, PermissionsOfATableSas) {
  const auto reads = TableSas({{"sp", "r"}});
  EXPECT_EQ(TryQuery(*reads), "a b c d e");
  EXPECT_EQ(TryGet(*reads, "a"), "200");
  EXPECT_EQ(TryInsert(*reads, "x"), kNotPermitted);
  EXPECT_EQ(TryMerge(*reads, "a", true), kNotPermitted);
  EXPECT_EQ(TryDelete(*reads, "a"), kNotPermitted);
  const auto adds = TableSas({{"sp", "a"}});
  EXPECT_EQ(TryInsert(*adds, "f"), "201");
  EXPECT_EQ(TryQuery(*adds), kNotPermitted);
  const bool lenient = Differs(Difference::kUpsertWithoutAdd);
  EXPECT_EQ(TryMerge(*adds, "g", false), kNotPermitted) << "an upsert takes both a and u";
  const auto updates = TableSas({{"sp", "u"}});
  EXPECT_EQ(TryMerge(*updates, "a", true), "204");
  EXPECT_EQ(TryMerge(*updates, "a", false), lenient ? "204" : kNotPermitted);
  EXPECT_EQ(TryMerge(*TableSas({{"sp", "au"}}), "g", false), "204");
  EXPECT_EQ(TryDelete(*TableSas({{"sp", "d"}}), "a"), "204");
}

TEST_F(HttpSasTest, ATableSasIsForOneTable) {
  const auto wire = TableSas({{"sp", "raud"}});
  const std::string other = FreshName();
  ASSERT_TRUE(client().CreateTable(other, options_, cancel_).ok());
  EXPECT_EQ(SendOn(*wire, {.path = other}).outcome(), Failed());
  EXPECT_EQ(SendOn(*wire, {.path = "Tables"}).status, 403);
  EXPECT_EQ(SendOn(*wire, {.path = table_, .query = "comp=acl"}).status, 403);
  ASSERT_TRUE(client().DeleteTable(other, options_, cancel_).ok());
}

TEST_F(HttpSasTest, KeyRange) {
  const auto wire =
      TableSas({{"sp", "raud"}, {"spk", "p"}, {"srk", "b"}, {"epk", "p"}, {"erk", "d"}});
  const bool whole = Differs(Difference::kKeyRangeOfASas);
  EXPECT_EQ(TryQuery(*wire), whole ? "a b c d e" : "b c d") << "without an error";
  EXPECT_EQ(TryGet(*wire, "b"), "200");
  EXPECT_EQ(TryGet(*wire, "a"), whole ? "200" : "404 ResourceNotFound");
  EXPECT_EQ(TryInsert(*wire, "bb"), "201");
  EXPECT_EQ(TryInsert(*wire, "x").substr(0, 3), whole ? "201" : "403");
  EXPECT_EQ(TryMerge(*wire, "e", true).substr(0, 3), whole ? "204" : "403");
  EXPECT_EQ(TryDelete(*wire, "e").substr(0, 3), whole ? "204" : "403");
}

TEST_F(HttpSasTest, TimesAndSignatures) {
  EXPECT_EQ(TryQuery(*TableSas({{"sp", "r"}, {"se", "2020-01-01T00:00:00Z"}})), Failed());
  EXPECT_EQ(TryQuery(*TableSas({{"sp", "r"}, {"st", "2099-01-01T00:00:00Z"}})), Failed());
  EXPECT_EQ(TryQuery(*TableSas({{"sp", "r"}, {"st", "2020-01-01T00:00:00Z"}})), "a b c d e");
  const auto forged = WireWith({{"sv", kVersion}, {"tn", table_}, {"se", kFarAway}, {"sp", "raud"}},
                               "another text");
  EXPECT_EQ(TryQuery(*forged), Failed());
  EXPECT_EQ(TryInsert(*forged, "x"), Failed());
}

TEST_F(HttpSasTest, StoredPolicy) {
  const auto put = [this](const std::string& identifiers) {
    return Send({.method = "PUT",
                 .path = table_,
                 .query = "comp=acl",
                 .body = "<?xml version=\"1.0\" encoding=\"utf-8\"?><SignedIdentifiers>" +
                         identifiers + "</SignedIdentifiers>",
                 .headers = {{"Content-Type", "application/xml"}}})
        .outcome();
  };
  const auto wire = TableSas({{"si", "reads"}});
  EXPECT_EQ(TryQuery(*wire), Failed()) << "there is no such policy";
  EXPECT_EQ(put("<SignedIdentifier><Id>reads</Id><AccessPolicy><Start>2020-01-01T00:00:00Z</Start>"
                "<Expiry>2100-01-01T00:00:00Z</Expiry><Permission>r</Permission></AccessPolicy>"
                "</SignedIdentifier>"),
            "204");
  EXPECT_EQ(TryQuery(*wire), "a b c d e");
  EXPECT_EQ(TryInsert(*wire, "x"), kNotPermitted);
  EXPECT_EQ(put(""), "204");
  EXPECT_EQ(TryQuery(*wire), Failed()) << "taken away again";
}

TEST_F(HttpSasTest, AccountSas) {
  const auto all = AccountSas({{"sp", "rwdlau"}, {"srt", "sco"}});
  EXPECT_EQ(TryQuery(*all), "a b c d e");
  EXPECT_EQ(TryInsert(*all, "f"), "201");
  const std::string name = FreshName();
  const Ask create{.method = "POST", .path = "Tables", .body = R"({"TableName":")" + name + "\"}"};
  EXPECT_EQ(SendOn(*all, create).outcome(), "201");
  EXPECT_EQ(SendOn(*all, {.path = "Tables"}).outcome(), "200");
  EXPECT_EQ(SendOn(*all, {.method = "DELETE", .path = "Tables('" + name + "')"}).outcome(), "204");
  const auto reads = AccountSas({{"sp", "r"}, {"srt", "sco"}});
  EXPECT_EQ(TryQuery(*reads), "a b c d e f");
  EXPECT_EQ(TryInsert(*reads, "x"), kNotPermitted);
  EXPECT_EQ(SendOn(*reads, create).outcome(), kNotPermitted);
  const auto service = AccountSas({{"sp", "rwdlau"}, {"srt", "s"}});
  EXPECT_EQ(TryGet(*service, "a"), "403 AuthorizationResourceTypeMismatch");
  EXPECT_EQ(TryInsert(*service, "x"), "403 AuthorizationResourceTypeMismatch");
}

TEST_F(HttpSasTest, RefusalsAreWrittenAsWhoGivesThem) {
  const auto reads = TableSas({{"sp", "r"}});
  const ParsedResponse right =
      SendOn(*reads, {.method = "POST", .path = table_, .body = Body("x")});
  EXPECT_EQ(right.body.starts_with("{\"odata.error\""), !Differs(Difference::kFormOfRefusals));
  const auto late = TableSas({{"sp", "r"}, {"se", "2020-01-01T00:00:00Z"}});
  EXPECT_TRUE(SendOn(*late, {.path = table_}).body.starts_with("<?xml"));
}

}  // namespace
}  // namespace aztables
