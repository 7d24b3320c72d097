// The shapes of responses to requests without credentials or rights.
#include "judge/shapes.h"

namespace aztables::judge {
namespace {

class AccessShapesTest : public ShapesTest {
 protected:
  AccessShapesTest() { scene_.CreateTable("Goods"); }

  static Question As(SignedBy credential, Question question) {
    question.credential = credential;
    return question;
  }
  static Question WithSas(Question question, const std::string& sas) {
    question.url += (question.url.find('?') == std::string::npos ? "?" : "&") + sas;
    return As(SignedBy::kSas, std::move(question));
  }
  // The front end's error response: always XML, without a version.
  static Response FrontEnd(int status, const std::string& code, const std::string& message) {
    return Without(XmlError(status, code, message), "x-ms-version");
  }
};

const std::string kAccountSas = "sv=2019-02-02&ss=t&se=2027-01-01T00%3A00%3A00Z&";
const std::string kTableSas = "sv=2019-02-02&tn=goods&se=2027-01-01T00:00:00Z&";
const std::string kNotAuthenticated =
    "Server failed to authenticate the request. Make sure the value of Authorization header is "
    "formed correctly including the signature.";

TEST_F(AccessShapesTest, NotAuthenticated) {
  const Response refused = FrontEnd(403, "AuthenticationFailed", kNotAuthenticated);
  const Response response = Check(As(SignedBy::kWrongKey, Get("/Goods")), refused);
  EXPECT_EQ(response.headers.Find("x-ms-request-id"), nullptr) << "only the body has it";
  Check(As(SignedBy::kNone, With(Get("/Goods"), "x-ms-version", "2019-07-07")), refused);
  Check(WithSas(Get("/Goods"), "sv=2019-02-02&tn=goods&se=2026-01-01T00:00:00Z&sp=r"), refused);
  Check(WithSas(Get("/Goods"), kTableSas + "st=2026-12-01T00:00:00Z&sp=r"), refused);
  const Response challenged = And(
      FrontEnd(401, "InvalidAuthenticationInfo",
               "Server failed to authenticate the request. Please refer to the information in the "
               "www-authenticate header."),
      "WWW-Authenticate",
      "Bearer authorization_uri=https://login.microsoftonline.com/"
      "00000000-0000-0000-0000-000000000000/oauth2/authorize "
      "resource_id=https://storage.azure.com");
  Check(As(SignedBy::kNone, With(Get("/Goods"), "x-ms-version", "2020-12-06")), challenged);
  Check(As(SignedBy::kToken, Get("/Goods")), challenged);
}

TEST_F(AccessShapesTest, NotPermitted) {
  const Question create = Of("POST", "/Tables", R"({"TableName":"New"})");
  const Question put = Of("PUT", "/Goods(PartitionKey='p',RowKey='1')", "{}");
  const Response permission =
      Error(403, "AuthorizationPermissionMismatch",
            "This request is not authorized to perform this operation using this permission.");
  Check(WithSas(create, kAccountSas + "srt=sco&sp=d"), permission);
  Check(WithSas(put, kTableSas + "sp=r"), permission);
  Check(WithSas(create, kAccountSas + "srt=s&sp=rwdlau"),
        Error(403, "AuthorizationResourceTypeMismatch",
              "This request is not authorized to perform this operation using this resource "
              "type."));
  Check(WithSas(put, kTableSas + "spk=p&srk=2&epk=p&erk=3&sp=raud"),
        Error(403, "AuthorizationFailure",
              "This request is not authorized to perform this operation."));
  Check(WithSas(put, kTableSas + "sp=raud"), And(Plain(204), "ETag", "<etag>"));
}

}  // namespace
}  // namespace aztables::judge
