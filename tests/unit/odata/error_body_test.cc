// Checks the reader of error bodies: JSON and XML of a service and of the emulator, and bodies of
// servers that are not table services.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/encoding.h"
#include "odata/response_body.h"
#include "support/rounds.h"

namespace aztables {
namespace {

std::string JsonError(const std::string& code, const std::string& message) {
  return R"({"odata.error":{"code":")" + code + R"(","message":{"lang":"en-US","value":")" +
         message + R"("}}})";
}

std::string XmlError(const std::string& code, const std::string& message) {
  return "<?xml version=\"1.0\" encoding=\"utf-8\"?><m:error xmlns:m=\"urn:example\"><m:code>" +
         code + "</m:code><m:message xml:lang=\"en-US\">" + message + "</m:message></m:error>";
}

void ExpectError(const std::string& body, const std::string& code, const std::string& message,
                 int index = -1) {
  const ErrorBody error = ReadErrorBody(body);
  EXPECT_TRUE(error.recognized) << body;
  EXPECT_EQ(error.code, code) << body;
  EXPECT_EQ(error.message, message) << body;
  EXPECT_EQ(error.operation_index, index) << body;
}

void ExpectUnknown(const std::string& body) {
  const ErrorBody error = ReadErrorBody(body);
  EXPECT_FALSE(error.recognized) << body;
  EXPECT_EQ(error.code, "") << body;
  EXPECT_EQ(error.message, "") << body;
  EXPECT_EQ(error.operation_index, -1) << body;
}

TEST(ErrorBodyTest, Json) {
  ExpectError(JsonError("EntityGone", R"(It is gone.\nRequestId:1-2\nTime:2026-11-02T10:00:00Z)"),
              "EntityGone", "It is gone.");
  ExpectError(JsonError("X", R"(First\r\nSecond)"), "X", "First");
  ExpectError(JsonError("X", ""), "X", "");
  ExpectError(JsonError("X", R"(\u0054ext \"q\" \ud83d\ude00)"), "X",
              "Text \"q\" \xF0\x9F\x98\x80");
  ExpectError("\xEF\xBB\xBF" + JsonError("X", "Text."), "X", "Text.");
  ExpectError(" \r\n" + JsonError("X", "Text.") + "\r\n", "X", "Text.");
}

TEST(ErrorBodyTest, JsonMembersInAnyOrderOrMissing) {
  ExpectError(R"({"odata.error":{"message":{"value":"Text.","lang":"en-us"},"code":"X"}})", "X",
              "Text.");
  ExpectError(R"({"odata.metadata":"m","odata.error":{"code":"X"}})", "X", "");
  ExpectError(R"({"odata.error":{"code":"X","message":"plain"}})", "X", "");
  ExpectError(R"({"odata.error":{"code":"X","message":{"value":5}}})", "X", "");
}

TEST(ErrorBodyTest, IndexOfTheOperation) {
  ExpectError(JsonError("X", R"(3:It exists.\nRequestId:1)"), "X", "It exists.", 3);
  ExpectError(JsonError("X", "0:No table."), "X", "No table.", 0);
  ExpectError(JsonError("X", "99:Too many."), "X", "Too many.", 99);
  ExpectError(JsonError("X", "It exists."), "X", "It exists.");
  ExpectError(JsonError("X", "Note: it exists."), "X", "Note: it exists.");
  ExpectError(JsonError("X", ":It exists."), "X", ":It exists.");
  ExpectError(JsonError("X", "-1:It exists."), "X", "-1:It exists.");
  ExpectError(JsonError("X", "12345:It exists."), "X", "12345:It exists.");
  ExpectError(JsonError("X", "7:"), "X", "", 7);
  ExpectError(JsonError("X", "12"), "X", "12");
}

TEST(ErrorBodyTest, Xml) {
  ExpectError(XmlError("Refused", "It was refused.\nRequestId:1\nTime:2"), "Refused",
              "It was refused.");
  ExpectError("\xEF\xBB\xBF" + XmlError("Refused", "It was refused."), "Refused",
              "It was refused.");
  ExpectError("<Error><Code>Refused</Code><Message>Emulated.\r\nRequestId:1</Message></Error>",
              "Refused", "Emulated.");
  ExpectError("<error><code>A</code></error>", "A", "");
  ExpectError("<?xml version='1.0'?>\n<ERROR>\n  <CODE>A</CODE>\n <MESSAGE>B</MESSAGE>\n</ERROR>",
              "A", "B");
  ExpectError(XmlError("A", "a &lt;b&gt; &amp;amp; &quot;c&quot; &apos;d&apos; &unknown; &"), "A",
              "a <b> &amp; \"c\" 'd' &unknown; &");
  ExpectError(XmlError("A", "3:It exists."), "A", "It exists.", 3);
}

TEST(ErrorBodyTest, XmlOfAnotherKind) {
  ExpectUnknown("<SignedIdentifiers />");
  EXPECT_FALSE(ReadErrorBody("\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"utf-8\"?>"
                             "<SignedIdentifiers />")
                   .recognized);
  ExpectUnknown("<error></error>");
  ExpectUnknown("<m:error><m:code>A");
  ExpectUnknown("<error><code");
  ExpectUnknown("<code>A</code><message>B</message>");
}

TEST(ErrorBodyTest, NoErrorOfATableService) {
  for (const char* body :
       {"", " \r\n ", "Service Unavailable", "<html>\r\n<head><title>502</title></head></html>",
        "{}", "[1]", R"({"odata.error":"x"})", R"({"odata.error":{"message":{"value":"x"}}})",
        R"({"error":{"code":"x"}})", "3:no JSON, no index"}) {
    ExpectUnknown(body);
  }
}

TEST(ErrorBodyTest, ALongMessageIsShortened) {
  EXPECT_LE(ReadErrorBody(JsonError("X", std::string(5000, 'y'))).message.size(), 1000U);
}

TEST(ErrorBodyTest, CutAtEveryByteNeverCrashesNorInvents) {
  const std::string json = JsonError("Conflict", R"(3:It exists.\nRequestId:1)");
  const std::string xml = XmlError("Conflict", "It exists.\nRequestId:1");
  for (const std::string& body : {json, xml}) {
    for (size_t size = 0; size < body.size(); ++size) {
      const ErrorBody error = ReadErrorBody(body.substr(0, size));
      EXPECT_TRUE(error.code.empty() || error.code == "Conflict") << body.substr(0, size);
      EXPECT_TRUE(IsValidUtf8(error.message));
    }
  }
}

TEST(ErrorBodyTest, RandomChangesNeverCrash) {
  std::mt19937 random(10);
  const std::string bodies[] = {JsonError("Conflict", "3:It exists."),
                                XmlError("Conflict", "3:It &lt;exists&gt;.")};
  for (int i = 0; i < support::Rounds(20'000); ++i) {
    std::string body = bodies[i % 2];
    for (size_t n = 1 + random() % 4; n > 0; --n) {
      body[random() % body.size()] =
          random() % 2 == 0 ? static_cast<char>(random()) : "<>/:\"{}\\&;"[random() % 10];
    }
    const ErrorBody error = ReadErrorBody(body);
    ASSERT_TRUE(IsValidUtf8(error.message)) << body;
    ASSERT_TRUE(error.recognized || error.code.empty()) << body;
  }
}

}  // namespace
}  // namespace aztables
