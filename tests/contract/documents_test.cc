// Checks the documents in XML: access policies of a table and the properties of the service.
#include <string>

#include "raw_test_base.h"

namespace aztables {
namespace {

constexpr const char* kXml = "application/xml";
constexpr const char* kHead = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";

class DocumentsTest : public RawTest {
 protected:
  ParsedResponse PutAcl(const std::string& identifiers) const {
    return Send({.method = "PUT",
                 .path = table_,
                 .query = "comp=acl",
                 .body = kHead + ("<SignedIdentifiers>" + identifiers) + "</SignedIdentifiers>",
                 .headers = {{"Content-Type", kXml}}});
  }
  ParsedResponse GetAcl() const { return Send({.path = table_, .query = "comp=acl"}); }
  static std::string Identifier(const std::string& id, const std::string& policy) {
    return "<SignedIdentifier><Id>" + id + "</Id>" + policy + "</SignedIdentifier>";
  }
  ParsedResponse PutProperties(const std::string& properties) const {
    return Send({.method = "PUT",
                 .query = "restype=service&comp=properties",
                 .body = kHead + ("<StorageServiceProperties>" + properties) +
                         "</StorageServiceProperties>",
                 .headers = {{"Content-Type", kXml}}});
  }
  ParsedResponse GetProperties() const {
    return Send({.query = "restype=service&comp=properties"});
  }
  static bool Has(const ParsedResponse& response, std::string_view text) {
    return response.body.find(text) != std::string::npos;
  }
};

constexpr const char* kPolicy =
    "<AccessPolicy><Start>2026-11-01T00:00:00Z</Start><Expiry>2100-01-01T00:00:00Z</Expiry>"
    "<Permission>raud</Permission></AccessPolicy>";

TEST_F(DocumentsTest, Policies) {
  const ParsedResponse none = GetAcl();
  EXPECT_EQ(none.outcome(), "200");
  EXPECT_EQ(none.headers.Get("Content-Type"), kXml);
  EXPECT_TRUE(Has(none, "<SignedIdentifiers"));
  EXPECT_FALSE(Has(none, "<Id>"));
  EXPECT_EQ(PutAcl(Identifier("one", kPolicy) + Identifier("two", kPolicy)).outcome(), "204");
  const ParsedResponse two = GetAcl();
  EXPECT_TRUE(Has(two, "<Id>one</Id>")) << two.body;
  EXPECT_TRUE(Has(two, "<Id>two</Id>"));
  EXPECT_TRUE(Has(two, "<Permission>raud</Permission>"));
  EXPECT_EQ(Has(two, "<Start>2026-11-01T00:00:00.0000000Z</Start>"),
            !Differs(Difference::kDatesOfPolicies))
      << two.body;
  EXPECT_EQ(PutAcl("").outcome(), "204");
  EXPECT_FALSE(Has(GetAcl(), "<Id>")) << "a document replaces the one before it";
}

TEST_F(DocumentsTest, PoliciesThatAreRefused) {
  std::string six;
  for (int i = 0; i < 6; ++i) six += Identifier(std::to_string(i), kPolicy);
  EXPECT_EQ(PutAcl(six).outcome(), "400 InvalidXmlDocument");
  const std::string refused =
      Differs(Difference::kErrorsWithoutBody) ? "400" : "400 InvalidXmlDocument";
  EXPECT_EQ(PutAcl("<SignedIdentifier>").outcome(), refused);
  EXPECT_EQ(PutAcl("<SignedIdentifier>" + std::string(kPolicy) + "</SignedIdentifier>").outcome(),
            refused)
      << "without Id";
  table_ = FreshName();
  EXPECT_EQ(PutAcl("").outcome(), "404 TableNotFound");
  EXPECT_EQ(GetAcl().outcome(), "404 TableNotFound");
}

std::string Retention(const std::string& enabled, const std::string& days) {
  return "<RetentionPolicy><Enabled>" + enabled + "</Enabled>" +
         (days.empty() ? "" : "<Days>" + days + "</Days>") + "</RetentionPolicy>";
}

std::string Logging(const std::string& days) {
  return "<Logging><Version>1.0</Version><Delete>true</Delete><Read>false</Read>"
         "<Write>true</Write>" +
         Retention("true", days) + "</Logging>";
}

TEST_F(DocumentsTest, ServiceProperties) {
  const ParsedResponse before = GetProperties();
  EXPECT_EQ(before.outcome(), "200");
  EXPECT_EQ(before.headers.Get("Content-Type"), kXml);
  for (const char* part : {"<Logging>", "<HourMetrics>", "<MinuteMetrics>", "<Cors"}) {
    EXPECT_TRUE(Has(before, part)) << part << before.body;
  }
  EXPECT_EQ(PutProperties(Logging("7")).outcome(), "202");
  EXPECT_TRUE(Has(GetProperties(), "<Days>7</Days>"));
  EXPECT_EQ(PutProperties("<Logging>").outcome(),
            Differs(Difference::kErrorsWithoutBody) ? "400" : "400 InvalidXmlDocument");
  EXPECT_TRUE(Has(GetProperties(), "<Days>7</Days>"));
  const bool lenient = Differs(Difference::kRetentionNotChecked);
  EXPECT_EQ(PutProperties(Logging("366")).outcome(), lenient ? "202" : "400 InvalidXmlDocument");
  EXPECT_EQ(Has(GetProperties(), "<Days>7</Days>"), !lenient);
  const std::string off =
      "<Logging><Version>1.0</Version><Delete>false</Delete><Read>false</Read>"
      "<Write>false</Write>" +
      Retention("false", "") + "</Logging>";
  EXPECT_EQ(PutProperties(off).outcome(), "202");
  EXPECT_FALSE(Has(GetProperties(), "<Days>7</Days>"));
}

}  // namespace
}  // namespace aztables
