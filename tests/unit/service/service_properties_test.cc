// Checks the properties of the service: the form of the response, the effect of changes, and
// errors.
#include <gtest/gtest.h>

#include "service/xml/xml_documents.h"
#include "unit/service/xml_prolog.h"

namespace aztables {
namespace {

const std::string kForEver = "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>";
const std::string kNoLogging =
    "<Logging><Version>1.0</Version><Read>false</Read><Write>false</Write><Delete>false</Delete>" +
    kForEver + "</Logging>";
const std::string kOff = "<Version>1.0</Version><Enabled>false</Enabled>" + kForEver;

std::string Whole(const std::string& inner) {
  return "<StorageServiceProperties>" + inner + "</StorageServiceProperties>";
}

std::string Update(std::string_view xml, std::string_view current = "") {
  const auto updated = UpdateServiceProperties(xml, current);
  return updated.ok() ? *updated : updated.status().failure().code;
}

TEST(ServicePropertiesTest, NothingWasEverSet) {
  const std::string expected =
      kXmlProlog + Whole(kNoLogging + "<HourMetrics>" + kOff + "</HourMetrics><MinuteMetrics>" +
                         kOff + "</MinuteMetrics><Cors />");
  EXPECT_EQ(DefaultServiceProperties(), expected);
  EXPECT_EQ(Update("<StorageServiceProperties />"), expected);
  EXPECT_EQ(Update(expected), expected);
}

// The response as recorded: a disabled section has neither Days nor IncludeAPIs.
TEST(ServicePropertiesTest, TheRecordedResponseStaysAsItIs) {
  const std::string recorded =
      kXmlProlog +
      Whole(kNoLogging +
            "<HourMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>true"
            "</IncludeAPIs><RetentionPolicy><Enabled>true</Enabled><Days>7</Days></RetentionPolicy>"
            "</HourMetrics><MinuteMetrics>" +
            kOff + "</MinuteMetrics><Cors />");
  EXPECT_EQ(Update(recorded), recorded);
  EXPECT_EQ(Update(Whole(""), recorded), recorded);
}

TEST(ServicePropertiesTest, AsAClientWritesThem) {
  const std::string retention =
      "<RetentionPolicy><Enabled>true</Enabled><Days>5</Days></RetentionPolicy>";
  const std::string metrics = "<Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs>" + retention;
  const std::string expected_metrics = "<Version>1.0</Version>" + metrics;
  EXPECT_EQ(
      Update(Whole(
          "<HourMetrics>" + metrics +
          "<Version>1.0</Version></HourMetrics><Logging><Delete>true"
          "</Delete><Read>true</Read>" +
          retention +
          "<Version>1.0</Version><Write>true</Write>"
          "</Logging><MinuteMetrics>" +
          metrics +
          "<Version>1.0</Version></MinuteMetrics><Cors>"
          "<CorsRule><AllowedHeaders>x-ms-meta-data*</AllowedHeaders><AllowedMethods>PUT"
          "</AllowedMethods><AllowedOrigins>www.xyz.com</AllowedOrigins><ExposedHeaders>"
          "x-ms-meta-source*</ExposedHeaders><MaxAgeInSeconds>500</MaxAgeInSeconds></CorsRule>"
          "</Cors>")),
      kXmlProlog +
          Whole("<Logging><Version>1.0</Version><Read>true</Read><Write>true</Write><Delete>true"
                "</Delete>" +
                retention + "</Logging><HourMetrics>" + expected_metrics +
                "</HourMetrics><MinuteMetrics>" + expected_metrics +
                "</MinuteMetrics><Cors>"
                "<CorsRule><AllowedOrigins>www.xyz.com</AllowedOrigins><AllowedMethods>PUT"
                "</AllowedMethods><MaxAgeInSeconds>500</MaxAgeInSeconds><ExposedHeaders>"
                "x-ms-meta-source*</ExposedHeaders><AllowedHeaders>x-ms-meta-data*"
                "</AllowedHeaders></CorsRule></Cors>"));
}

TEST(ServicePropertiesTest, SectionsThatAreLeftOutStay) {
  const std::string hour =
      "<HourMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>"
      "false</IncludeAPIs>" +
      kForEver + "</HourMetrics>";
  const std::string cors =
      "<Cors><CorsRule><AllowedOrigins>*</AllowedOrigins><AllowedMethods>GET,PUT</AllowedMethods>"
      "<MaxAgeInSeconds>0</MaxAgeInSeconds><ExposedHeaders /><AllowedHeaders /></CorsRule></Cors>";
  const std::string first = Update(Whole(hour));
  EXPECT_NE(first.find(hour), std::string::npos);
  const std::string second = Update(Whole(cors), first);
  EXPECT_NE(second.find(hour), std::string::npos);
  EXPECT_NE(second.find(cors), std::string::npos);
  const std::string third = Update(Whole("<Cors/><HourMetrics>" + kOff + "</HourMetrics>"), second);
  EXPECT_EQ(third, DefaultServiceProperties()) << "and those that are sent are replaced whole";
  EXPECT_EQ(Update(Whole(""), "not what was written"), "InternalError");
}

std::string Rules(size_t count, const std::string& origins = "*", const std::string& rest = "") {
  std::string rules;
  while (count-- > 0) {
    rules.append("<CorsRule><AllowedOrigins>").append(origins);
    rules += "</AllowedOrigins><AllowedMethods>GET</AllowedMethods><MaxAgeInSeconds>1";
    rules.append("</MaxAgeInSeconds>").append(rest).append("</CorsRule>");
  }
  return Whole("<Cors>" + rules + "</Cors>");
}

TEST(ServicePropertiesTest, Limits) {
  const auto days = [](const char* text) {
    return Update(Whole(
        "<MinuteMetrics><Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs>"
        "<RetentionPolicy><Enabled>true</Enabled><Days>" +
        std::string(text) + "</Days></RetentionPolicy><Version>1.0</Version></MinuteMetrics>"));
  };
  for (const char* good : {"1", "365"}) EXPECT_NE(days(good), "InvalidXmlDocument") << good;
  for (const char* bad : {"0", "366", "-1", "x", "", "1.5", "99999999999999999999"}) {
    EXPECT_EQ(days(bad), "InvalidXmlDocument") << bad;
  }
  const std::string item(256, 'x');
  EXPECT_NE(Update(Rules(5)), "InvalidXmlDocument");
  EXPECT_EQ(Update(Rules(6)), "InvalidXmlDocument");
  EXPECT_NE(Update(Rules(1, item)), "InvalidXmlDocument");
  EXPECT_EQ(Update(Rules(1, item + "x")), "InvalidXmlDocument");
  EXPECT_NE(Update(Rules(1, item + "," + item)), "InvalidXmlDocument");
  EXPECT_EQ(Update(Rules(4, item + "," + item)), "InvalidXmlDocument") << "over 2 KiB in all";
  std::string many = "o";
  for (int i = 1; i < 64; ++i) many += ",o";
  EXPECT_NE(Update(Rules(1, many)), "InvalidXmlDocument");
  EXPECT_EQ(Update(Rules(1, many + ",o")), "InvalidXmlDocument");
}

TEST(ServicePropertiesTest, Refused) {
  const std::string documents[] = {
      "",
      "x",
      "<Other/>",
      Whole("<Other/>"),
      Whole("<DefaultServiceVersion>2019-02-02</DefaultServiceVersion>"),
      Whole("<Cors/><Cors/>"),
      Whole("<Logging/>"),
      Whole("<Logging><Read>true</Read><Write>true</Write></Logging>"),
      Whole("<Logging><Read>yes</Read><Write>true</Write><Delete>true</Delete></Logging>"),
      Whole("<Logging><Version>9.0</Version><Read>true</Read><Write>true</Write><Delete>true"
            "</Delete></Logging>"),
      Whole("<HourMetrics/>"),
      Whole("<HourMetrics><Enabled>true</Enabled></HourMetrics>"),
      Whole("<HourMetrics><Enabled>false</Enabled><Other/></HourMetrics>"),
      Whole("<HourMetrics><Enabled>false</Enabled><RetentionPolicy/></HourMetrics>"),
      Whole("<HourMetrics><Enabled>false</Enabled><RetentionPolicy><Enabled>true</Enabled>"
            "</RetentionPolicy></HourMetrics>"),
      Whole("<Cors><Other/></Cors>"),
      Whole("<Cors><CorsRule/></Cors>"),
      Rules(1, ""),
      Rules(1, "a,"),
      Rules(1, ",a"),
      Rules(1, "a,,b"),
      Rules(1, "*", "<MaxAgeInSeconds>1</MaxAgeInSeconds>"),
      Rules(1, "*", "<ExposedHeaders>a,</ExposedHeaders>"),
      Whole("<Cors><CorsRule><AllowedOrigins>*</AllowedOrigins><AllowedMethods>TRACE"
            "</AllowedMethods><MaxAgeInSeconds>1</MaxAgeInSeconds></CorsRule></Cors>"),
      Whole("<Cors><CorsRule><AllowedOrigins>*</AllowedOrigins><AllowedMethods>GET"
            "</AllowedMethods><MaxAgeInSeconds>-1</MaxAgeInSeconds></CorsRule></Cors>"),
  };
  for (const std::string& document : documents) {
    const auto updated = UpdateServiceProperties(document, "");
    ASSERT_FALSE(updated.ok()) << document;
    EXPECT_EQ(updated.status().failure().code, "InvalidXmlDocument");
    EXPECT_EQ(updated.status().failure().http_status, 400);
  }
}

}  // namespace
}  // namespace aztables
