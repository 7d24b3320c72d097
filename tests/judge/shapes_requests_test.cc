// The shapes of responses to invalid requests: resources, methods, and formats of the response.
#include "judge/shapes.h"

namespace aztables::judge {
namespace {

class RequestShapesTest : public ShapesTest {
 protected:
  RequestShapesTest() { scene_.CreateTable("Goods"); }
};

const std::string kRow = "/Goods(PartitionKey='p',RowKey='r')";
const std::string kInvalid = "One of the request inputs is not valid.";

TEST_F(RequestShapesTest, UnknownResources) {
  const Response uri =
      Error(400, "InvalidUri", "The requested URI does not represent any resource on the server.");
  for (const char* url : {"/Goods/x", "/Goods('x')", "/Goods(PartitionKey='p')", "/Tables(x)"}) {
    Check(Get(url), uri);
  }
  const Response method = Error(405, "MethodNotAllowed",
                                "The requested method is not allowed on the specified resource.");
  Check(Of("PUT", "/Tables", "{}"), method);
  Check(Of("DELETE", "/Goods"), method);
  Check(Of("POST", kRow, "{}"), method);
  Check(Of("POST", "/Tables('Goods')"), method);
  Check(Get("/$batch"), method);
  Check(Of("BREW", "/Goods"),
        Error(405, "UnsupportedHttpVerb", "The resource doesn't support specified Http Verb."));
  Check(Get("/"), Error(501, "NotImplemented",
                        "The requested operation is not implemented on the specified resource."));
}

TEST_F(RequestShapesTest, MethodsInAHeader) {
  Check(With(Of("PUT", kRow, "{}"), "X-HTTP-Method", "MERGE"),
        Error(400, "XMethodNotUsingPost",
              "The request uses X-HTTP-Method with an HTTP verb other than POST."));
  Check(With(Of("POST", kRow, "{}"), "X-HTTP-Method", "BREW"),
        Error(400, "XMethodIncorrectValue", "The specified X-HTTP-Method is invalid."));
}

TEST_F(RequestShapesTest, FormsOfResponses) {
  Check(With(Get("/Goods"), "Accept", "application/atom+xml"),
        Error(415, "AtomFormatNotSupported", "Atom format is not supported."));
  Check(With(Get("/Goods"), "Accept", "application/json;odata=verbose"),
        Error(415, "MediaTypeNotSupported", "None of the provided media types are supported"));
  const Response empty =
      Json(200, R"({"odata.metadata":")" + std::string(kBase) + R"(/$metadata#Goods","value":[]})");
  for (const char* accept : {"", "*/*", "application/json", "application/atom+xml,application/json",
                             "application/json;odata=MinimalMetadata"}) {
    Check(With(Get("/Goods"), "Accept", accept), empty);
  }
  Check(Get("/Goods?$format=json"), empty);
  Check(Get("/Goods?$format=application/json;odata=nometadata", "fullmetadata"),
        Json(200, R"({"value":[]})", "nometadata"));
  Check(With(Get("/Goods(PartitionKey='p',RowKey='x')"), "Accept",
             "application/json;odata=fullmetadata"),
        And(Error(404, "ResourceNotFound", "The specified resource does not exist."),
            "Content-Type", JsonType("fullmetadata")));
}

TEST_F(RequestShapesTest, VersionsAndIds) {
  Check(With(Get("/Goods", "nometadata"), "x-ms-version", "2015-04-05"),
        And(Json(200, R"({"value":[]})", "nometadata"), "x-ms-version", "2015-04-05"));
  const Response version =
      Error(400, "InvalidHeaderValue",
            "The value for one of the HTTP headers is not in the correct format.");
  for (const char* bad : {"1", "2008-10-27", "2019-2-2", "2019-02-02x"}) {
    Check(With(Get("/Goods"), "x-ms-version", bad), version);
  }
  const Response first = scene_.Ask(Get("/Goods"));
  EXPECT_NE(first.headers.Get("x-ms-request-id"),
            scene_.Ask(Get("/Goods")).headers.Get("x-ms-request-id"));
  EXPECT_EQ(first.headers.Find("x-ms-client-request-id"), nullptr);
}

TEST_F(RequestShapesTest, OptionsAndConditions) {
  Check(Get("/Goods?$expand=A"),
        Error(501, "NotImplemented",
              "The requested operation is not implemented on the specified resource."));
  Check(Get("/Goods?$filter=bad%20bad%20bad"),
        Without(Error(400, "InvalidInput", "Syntax error at position 7 in 'bad bad bad'."),
                "Cache-Control"));
  Check(Get("/Goods?$top=-1"), Error(400, "InvalidInput", kInvalid));
  for (const char* etag : {"abc", "\"abc\"", "W/abc", "W/\"", "W/\"a\", W/\"b\""}) {
    EXPECT_EQ(scene_.Ask(With(Of("PUT", kRow, "{}"), "If-Match", etag)).status, 400) << etag;
  }
  const Response parameter =
      XmlError(400, "InvalidQueryParameterValue",
               "Value for one of the query parameters specified in the request URI is invalid.");
  Check(Get("/Goods?comp=other"), parameter);
  Check(Get(kRow + "?comp=acl"), parameter);
  Check(Get("/?restype=service&comp=other"), parameter);
  Check(Get("/?restype=service&comp=stats"), parameter);  // the primary has no statistics
}

TEST_F(RequestShapesTest, MalformedBodiesAndBatches) {
  const std::string what =
      "An error occurred while processing this request. The body is not a "
      "JSON object of properties: ";
  Check(Of("POST", "/Goods", "{"), Error(400, "InvalidInput", what + "it is not JSON"));
  Check(Of("POST", "/Tables", ""), Error(400, "InvalidInput", what + "it is not JSON"));
  Check(Of("POST", "/Tables", "{}"),
        Error(400, "PropertiesNeedValue",
              "The values are not specified for all properties in the entity."));
  Check(Of("POST", "/Goods", std::string(4 * 1024 * 1024 + 1, ' ')),
        Error(413, "RequestBodyTooLarge",
              "The request body is too large and exceeds the maximum permissible limit."));
  for (const char* type : {"", "text/plain", "multipart/mixed", "multipart/mixed; boundary=b"}) {
    Check(With(Of("POST", "/$batch", "--c\r\n\r\n--c--\r\n"), "Content-Type", type),
          Error(400, "InvalidInput", kInvalid));
  }
}

TEST_F(RequestShapesTest, TheSecondaryIsReadOnly) {
  Question read = Get("/Goods", "nometadata");
  read.secondary = true;
  Check(read, Json(200, R"({"value":[]})", "nometadata"));
  Question write = Of("POST", "/Goods", R"({"PartitionKey":"p","RowKey":"r"})");
  write.secondary = true;
  Check(write, Error(403, "InsufficientAccountPermissions",
                     "The account being accessed does not have sufficient permissions to execute "
                     "this operation."));
}

}  // namespace
}  // namespace aztables::judge
