// Checks which parts of a response may be shown: no form of the request's signature, and only
// printable bytes in codes and ids.
#include <gtest/gtest.h>

#include <string>

#include "http/message.h"

namespace aztables {
namespace {

constexpr std::string_view kSas = "sv=2019-02-02&sp=r&sig=ab%2Bcd%2Fef%3D&se=2030";

TEST(SignatureOfTest, OfASasOrAHeader) {
  Request request;
  EXPECT_EQ(SignatureOf(request), "");
  request.headers.Set("Authorization", "SharedKeyLite account:c2lnbmF0");
  EXPECT_EQ(SignatureOf(request), "c2lnbmF0");
  request.credential_query = kSas;
  EXPECT_EQ(SignatureOf(request), "ab%2Bcd%2Fef%3D");
  request.credential_query = "sig=last";
  EXPECT_EQ(SignatureOf(request), "last");
}

TEST(MakeShowableTest, NoFormOfTheSignatureIsLeft) {
  Response response;
  response.status = 404;
  response.body =
      "<p>/Table()?sv=1&sig=ab%2Bcd%2Fef%3D or ab+cd/ef= or ab%2bcd%2fef%3d was not found</p>";
  response.headers.Add("x-ms-request-id", "sig=ab%2Bcd%2Fef%3D");
  response.headers.Add("x-ms-continuation-NextPartitionKey", "ab+cd/ef=ab+cd/ef=");
  MakeShowable(response, "ab%2Bcd%2Fef%3D");
  EXPECT_EQ(response.body, "<p>/Table()?sv=1&sig=... or ... or ... was not found</p>");
  EXPECT_EQ(response.headers.Get("x-ms-request-id"), "sig=...");
  EXPECT_EQ(response.headers.Get("x-ms-continuation-NextPartitionKey"), "......");
}

TEST(MakeShowableTest, EntitiesStayAsTheyAre) {
  Response response;
  response.status = 200;
  response.headers.Add("content-type", "application/json;odata=minimalmetadata");
  response.body = R"({"value":[{"A":"c2lnbmF0"}]})";
  MakeShowable(response, "c2lnbmF0");
  EXPECT_EQ(response.body, R"({"value":[{"A":"c2lnbmF0"}]})");
  response.status = 400;
  MakeShowable(response, "c2lnbmF0");
  EXPECT_EQ(response.body, R"({"value":[{"A":"..."}]})");
}

TEST(MakeShowableTest, WhatIsNoSignatureStays) {
  Response response;
  response.status = 200;
  response.headers.Add("x-ms-continuation-NextPartitionKey", "1!4!a");
  MakeShowable(response, "a");
  EXPECT_EQ(response.headers.Get("x-ms-continuation-NextPartitionKey"), "1!4!a");
}

TEST(MakeShowableTest, WhatIsShownIsOnePrintableLine) {
  Response response;
  response.status = 400;
  response.headers.Add("x-ms-request-id", " \x1B[31mred\xFF\xC2\x9B");
  response.headers.Add("X-MS-Error-Code", std::string(500, 'E'));
  response.headers.Add("Other", "\xFF");
  MakeShowable(response, "");
  EXPECT_EQ(response.headers.Get("x-ms-request-id"), "[31mred");
  EXPECT_EQ(response.headers.Get("x-ms-error-code").size(), 100U);
  EXPECT_EQ(response.headers.Get("Other"), "\xFF");
}

}  // namespace
}  // namespace aztables
