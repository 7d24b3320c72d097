// Checks the rules for all requests: versions, methods, formats, options, ids.
#include <string>

#include "raw_test_base.h"

namespace aztables {
namespace {

using ProtocolTest = RawTest;

TEST_F(ProtocolTest, Versions) {
  const auto with = [this](const char* version) {
    return Send({.path = table_, .headers = {{"x-ms-version", version}}});
  };
  EXPECT_EQ(with("2019-02-02").outcome(), "200");
  EXPECT_EQ(with("2020-12-06").outcome(), "200");
  const std::string refused =
      Differs(Difference::kVersionsNotChecked) ? "200" : "400 InvalidHeaderValue";
  EXPECT_EQ(with("abc").outcome(), refused);
  EXPECT_EQ(with("1999-01-01").outcome(), refused);
}

TEST_F(ProtocolTest, MethodsBehindPost) {
  const auto post = [this](const char* method, const std::string& body) {
    return Send({.method = "POST",
                 .path = Address("p", "r"),
                 .body = body,
                 .headers = {{"X-HTTP-Method", method}, {"If-Match", "*"}}});
  };
  Insert("r", R"("A":1,"B":1)");
  EXPECT_EQ(post("MERGE", R"({"A":2})").outcome(), "204");
  EXPECT_EQ(Get("r").At("/A"), "2");
  EXPECT_EQ(post("PATCH", R"({"A":3})").outcome(), "204");
  EXPECT_EQ(Get("r").At("/B"), "1");
  // Interpreted as an insert without keys.
  const bool lenient = Differs(Difference::kMethodsBehindPost);
  EXPECT_EQ(post("PUT", R"({"A":4})").outcome(), lenient ? "400 PropertiesNeedValue" : "204");
  EXPECT_EQ(Get("r").At("/B"), lenient ? "1" : kAbsent);
  EXPECT_EQ(post("DELETE", "").outcome(), "204");
  EXPECT_EQ(Get("r").status, 404);
  EXPECT_EQ(post("FETCH", "").outcome(),
            lenient ? "400 PropertiesNeedValue" : "400 XMethodIncorrectValue");
  EXPECT_EQ(Send({.method = "PUT",
                  .path = Address("p", "r"),
                  .body = "{}",
                  .headers = {{"X-HTTP-Method", "MERGE"}}})
                .outcome(),
            lenient ? "204" : "400 XMethodNotUsingPost");
}

TEST_F(ProtocolTest, Formats) {
  const auto with = [this](const char* accept) {
    return Send({.path = table_, .headers = {{"Accept", accept}}}).outcome();
  };
  EXPECT_EQ(with("application/json"), "200");
  EXPECT_EQ(with("application/json;odata=fullmetadata"), "200");
  EXPECT_EQ(with("application/atom+xml"), "415 AtomFormatNotSupported");
}

TEST_F(ProtocolTest, TheIdOfTheClientComesBack) {
  // The pipeline sets its own id; the response must contain that one.
  const auto exchange = wire_->pipeline().Start(Make(*wire_, {.path = table_}));
  Exchange* const waiting = exchange.get();
  ASSERT_TRUE(wire_->pipeline().WaitAny({&waiting, 1}, cancel_).ok());
  const std::string sent(exchange->request().headers.Get("x-ms-client-request-id"));
  EXPECT_FALSE(sent.empty());
  EXPECT_EQ(ParseResponse(exchange->Take()).headers.Get("x-ms-client-request-id"), sent);
}

TEST_F(ProtocolTest, AnErrorSaysWhichRequestItWas) {
  const ParsedResponse response = Get("none");
  EXPECT_EQ(response.outcome(), "404 ResourceNotFound");
  const std::string id(response.headers.Get("x-ms-request-id"));
  EXPECT_FALSE(id.empty());
  EXPECT_NE(response.body.find("\\nRequestId:" + id + "\\nTime:"), std::string::npos)
      << response.body;
  EXPECT_EQ(response.At("/odata.error/message/lang"), "\"en-US\"");
  EXPECT_EQ(response.headers.Find("x-ms-error-code") != nullptr,
            Differs(Difference::kErrorCodeHeader));
}

TEST_F(ProtocolTest, TheTableWithoutParentheses) {
  Insert("r");
  EXPECT_EQ(RowKeys(Send({.path = table_})), "r");
  EXPECT_EQ(RowKeys(Send({.path = table_ + "()"})), "r");
}

TEST_F(ProtocolTest, OptionsOfODataThatTheServiceLacks) {
  for (const char* option : {"$orderby=RowKey", "$skip=1", "$inlinecount=allpages", "$expand=A"}) {
    EXPECT_EQ(List(option).outcome(),
              Differs(Difference::kOptionsIgnored) ? "200" : "501 NotImplemented")
        << option;
  }
}

TEST_F(ProtocolTest, QuotesAndBlanksInAddresses) {
  Insert("O'Brien 100%");
  EXPECT_EQ(Send({.path = table_ + "(PartitionKey='p',RowKey='O''Brien%20100%25')"}).status, 200);
  EXPECT_EQ(
      Send({.path = table_ + "(PartitionKey=%27p%27,RowKey=%27O%27%27Brien%20100%25%27)"}).status,
      200);
}

}  // namespace
}  // namespace aztables
