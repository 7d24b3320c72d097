// Checks the documents of access policies and statistics against the forms that the live service
// returns and refuses.
#include "service/xml/xml_documents.h"

#include <gtest/gtest.h>

#include "unit/service/xml_prolog.h"

namespace aztables {
namespace {

std::string Policy(const std::string& id, const std::string& access) {
  return "<SignedIdentifier><Id>" + id + "</Id>" + access + "</SignedIdentifier>";
}
std::string Policies(const std::string& inner) {
  return "<SignedIdentifiers>" + inner + "</SignedIdentifiers>";
}
std::string WithAccess(const std::string& inner) {
  return Policies(Policy("a", "<AccessPolicy>" + inner + "</AccessPolicy>"));
}

// The GET response after PUT, or the code of a refused PUT.
std::string PutAndGet(std::string_view xml) {
  const auto policies = ReadPolicies(xml);
  return policies.ok() ? WritePolicies(*policies) : policies.status().failure().code;
}

TEST(PoliciesTest, AsRecorded) {
  EXPECT_EQ(PutAndGet("<?xml version='1.0' encoding='utf-8'?>\n<SignedIdentifiers />"),
            kXmlProlog + "<SignedIdentifiers />");
  EXPECT_EQ(PutAndGet("<?xml version='1.0' encoding='utf-8'?>\n" +
                      Policies(Policy("testid",
                                      "<AccessPolicy><Start>2011-10-11</Start><Expiry>2011-10-12"
                                      "</Expiry><Permission>r</Permission></AccessPolicy>"))),
            kXmlProlog + Policies(Policy("testid",
                                         "<AccessPolicy><Start>2011-10-11T00:00:00.0000000Z</Start>"
                                         "<Expiry>2011-10-12T00:00:00.0000000Z</Expiry>"
                                         "<Permission>r</Permission></AccessPolicy>")));
  EXPECT_EQ(PutAndGet(Policies(Policy("empty",
                                      "<AccessPolicy><Start /><Expiry /><Permission />"
                                      "</AccessPolicy>"))),
            kXmlProlog + Policies(Policy("empty", "")));
}

TEST(PoliciesTest, FieldsInAnyOrderAndNumber) {
  const auto policies = ReadPolicies(
      Policies("<SignedIdentifier><AccessPolicy><Permission>raud</Permission><Expiry> "
               "2029-01-01T01:30:00.1234567+01:00\n</Expiry></AccessPolicy><Id>b&amp;c</Id>"
               "</SignedIdentifier>" +
               Policy("a", "")));
  ASSERT_TRUE(policies.ok());
  const std::vector<StoredPolicy> expected = {{"b&c", "", "2029-01-01T00:30:00.1234567Z", "raud"},
                                              {"a", "", "", ""}};
  EXPECT_EQ(*policies, expected) << "in the order in which they were sent";
  EXPECT_EQ(*ReadPolicies(WritePolicies(expected)), expected);
}

TEST(PoliciesTest, AnEmptyBodyTakesAllAway) {
  EXPECT_EQ(PutAndGet(""), kXmlProlog + "<SignedIdentifiers />");
  EXPECT_EQ(PutAndGet("\r\n "), kXmlProlog + "<SignedIdentifiers />");
}

TEST(PoliciesTest, Limits) {
  std::string inner;
  for (const char* id : {"1", "2", "3", "4", "5"}) inner += Policy(id, "");
  EXPECT_EQ(ReadPolicies(Policies(inner))->size(), 5U);
  EXPECT_EQ(PutAndGet(Policies(inner + Policy("6", ""))), "InvalidXmlDocument");
  EXPECT_TRUE(ReadPolicies(Policies(Policy(std::string(64, 'x'), ""))).ok());
  EXPECT_FALSE(ReadPolicies(Policies(Policy(std::string(65, 'x'), ""))).ok());
  std::string long_id;
  for (int i = 0; i < 64; ++i) long_id += "\xC3\xA9";
  EXPECT_TRUE(ReadPolicies(Policies(Policy(long_id, ""))).ok()) << "characters, not bytes";
}

TEST(PoliciesTest, Refused) {
  const std::string documents[] = {
      "x",
      "<SignedIdentifiers>",
      "<Other/>",
      Policies("<Other/>"),
      Policies("<SignedIdentifier/>"),
      Policies("<SignedIdentifier><AccessPolicy/></SignedIdentifier>"),
      Policies(Policy("", "")),
      Policies(Policy("<x/>", "")),
      Policies(Policy("a", "<Id>b</Id>")),
      Policies(Policy("a", "<Other/>")),
      Policies(Policy("a", "") + Policy("a", "")),
      WithAccess("<Start>yesterday</Start>"),
      WithAccess("<Expiry>2026-02-30</Expiry>"),
      WithAccess("<Start>2026-02-03T00:00:00.00000000Z</Start>"),
      WithAccess("<Start>2026-02-03T00:00:00.123456789Z</Start>"),
      WithAccess("<Start>2026-02-03</Start><Start>2026-02-03</Start>"),
      WithAccess("<Start><x/></Start>"),
      WithAccess("<Other/>"),
      WithAccess("<Permission>rx</Permission>"),
      WithAccess("<Permission>R</Permission>"),
      WithAccess("<Permission>r d</Permission>"),
      "<!DOCTYPE x [<!ENTITY e \"r\">]>" + WithAccess("<Permission>&e;</Permission>"),
  };
  for (const std::string& document : documents) {
    const auto policies = ReadPolicies(document);
    ASSERT_FALSE(policies.ok()) << document;
    EXPECT_EQ(policies.status().failure().code, "InvalidXmlDocument");
    EXPECT_EQ(policies.status().failure().http_status, 400);
    EXPECT_EQ(policies.status().failure().message, "XML specified is not syntactically valid.");
  }
}

TEST(ServiceStatsTest, AsRecorded) {
  EXPECT_EQ(ServiceStats(1649877766000),
            kXmlProlog +
                "<StorageServiceStats><GeoReplication><Status>live</Status><LastSyncTime>Wed, 13 "
                "Apr 2022 19:22:46 GMT</LastSyncTime></GeoReplication></StorageServiceStats>");
}

}  // namespace
}  // namespace aztables
