// Tests the verdict: responses with one difference, and variable values in a wrong form.
#include "judge/verdict.h"

#include "judge/shapes.h"

namespace aztables::judge {
namespace {

constexpr const char* kEtag = "W/\"datetime'2026-11-02T10%3A00%3A00.12Z'\"";

// An entity in a response, with the times of its ETag and of its Timestamp.
std::string EntityText(const std::string& etag, const std::string& timestamp) {
  return R"({"odata.etag":"W/\"datetime')" + etag + R"('\"","PartitionKey":"p","Timestamp":")" +
         timestamp + R"("})";
}

Response Good() {
  Response response =
      Json(200, EntityText("2026-11-02T10%3A00%3A00.12Z", "2026-11-02T10:00:00.12Z"));
  response.headers.Set("ETag", kEtag);
  return response;
}
Response Right() {
  return And(Json(200, EntityText("2020-01-01T00%3A00%3A00Z", "2020-01-01T00:00:00Z")), "ETag",
             "W/\"datetime'2020-01-01T00%3A00%3A00Z'\"");
}

// The keys of the verdict, separated by "; ".
std::string Differs(const Response& right, const Response& actual, size_t entities = 0) {
  std::string all;
  for (const auto& [what, how] : Compare(right, actual, entities)) {
    all += (all.empty() ? "" : "; ") + what;
  }
  return all;
}

TEST(VerdictTest, EqualExceptForVariableParts) {
  EXPECT_EQ(Differs(Right(), Good()), "");
  EXPECT_EQ(Differs(Right(), And(And(Good(), "x-ms-request-id", "a"), "Date", "b")), "");
}

TEST(VerdictTest, EachDifferenceIsNamed) {
  Response other = Good();
  other.status = 201;
  EXPECT_EQ(Differs(Right(), other), "status");
  EXPECT_EQ(Differs(Right(), And(Good(), "X-More", "1")), "header x-more");
  EXPECT_EQ(Differs(And(Right(), "X-More", "1"), Good()), "header x-more");
  EXPECT_EQ(Differs(Right(), And(Good(), "Cache-Control", "no")), "header cache-control");
  EXPECT_EQ(Differs(Right(), And(Without(Good(), "Cache-Control"), "cache-control", "no-cache")),
            "header cache-control");
  other = Good();
  other.body.insert(other.body.size() - 1, " ");
  EXPECT_EQ(Differs(Right(), other), "body");
  EXPECT_EQ(Differs(And(Right(), "Content-Length", "3"), Good()), "length");
}

TEST(VerdictTest, FormsOfVariableParts) {
  const auto of = [](const std::string& etag, const std::string& timestamp) {
    return Differs(Without(Right(), "ETag"), Json(200, EntityText(etag, timestamp)));
  };
  EXPECT_EQ(of("2026-11-02T10%3A00%3A00.1Z", "2026-11-02T10:00:00.1Z"), "");
  EXPECT_EQ(of("2026-11-02T10%3A00%3A00.10Z", "2026-11-02T10:00:00.10Z"), "body; form");
  EXPECT_EQ(of("2026-11-02T10:00:00.1Z", "2026-11-02T10:00:00.1Z"), "body; form");
  EXPECT_EQ(of("2026-11-02T10%3A00%3A00.1Z", "2026-11-02T10:00:00.2Z"), "form") << "unlike";
  EXPECT_EQ(Differs(Right(), And(Good(), "ETag", "W/\"datetime'2026-11-02T10%3A00%3A00Z'\"")),
            "form")
      << "differs from the ETag of the body";
  const Response right = Error(404, "A", "B");
  const std::string guid = "0d391d16-97f1-4b9a-be68-4cc871f90001";
  const auto error = [](const std::string& id, const std::string& time) {
    return Json(
        404, R"({"odata.error":{"code":"A","message":{"lang":"en-US","value":"B\nRequestId:)" + id +
                 R"(\nTime:)" + time + R"("}}})");
  };
  EXPECT_EQ(Differs(right, error(guid, "2026-11-02T10:00:00.1000000Z")), "");
  EXPECT_EQ(Differs(right, error(guid, "2026-11-02T10:00:00.1Z")), "body; form");
  EXPECT_EQ(Differs(right, error("1", "2026-11-02T10:00:00.1000000Z")), "body; form");
}

TEST(VerdictTest, ShortenedLists) {
  const auto list = [](int count) {
    std::string body = R"({"value":[)";
    for (int i = 0; i < count; ++i) {
      body += (i > 0 ? "," : "") + EntityText("2026-11-02T10%3A00%3A00Z", "2026-11-02T10:00:00Z");
    }
    return Json(200, body + "]}");
  };
  EXPECT_EQ(Differs(list(1), list(3), 3), "");
  EXPECT_EQ(Differs(list(3), list(3), 3), "");
  EXPECT_EQ(Differs(list(1), list(2), 3), "body") << "one is missing";
  EXPECT_EQ(Differs(list(1), list(3)), "body") << "the list was not shortened";
}

TEST(VerdictTest, BoundariesAndTokens) {
  const std::string guid = "0d391d16-97f1-4b9a-be68-4cc871f90001";
  const auto batch = [](const std::string& in_header, const std::string& in_body) {
    Response response =
        And(Plain(202), "Content-Type", "multipart/mixed; boundary=batchresponse_" + in_header);
    response.body = "--batchresponse_" + in_body + "--\r\n";
    return response;
  };
  EXPECT_EQ(Differs(batch("<guid>", "<guid>"), batch(guid, guid)), "");
  EXPECT_EQ(Differs(batch("<guid>", "<guid>"), batch(guid, "0d391d16-97f1-4b9a-be68-4cc871f90002")),
            "form");
  const std::string name = "x-ms-continuation-NextTableName";
  const Response right = And(Plain(200), name, "<token of abc>");
  EXPECT_EQ(Differs(right, And(Plain(200), name, "1!28!YWJjATAwMDAwMDAwMDAwMDAwMDA-")), "");
  EXPECT_EQ(Differs(right, And(Plain(200), name, "1!4!YWJj")),
            "form; header x-ms-continuation-nexttablename");
}

}  // namespace
}  // namespace aztables::judge
