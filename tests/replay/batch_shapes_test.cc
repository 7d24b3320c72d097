// Checks the reader of batches on responses of every shape that the live service sends, with
// invented names and values: what the replay of recorded traffic checks too, but wherever the tests
// run.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "odata/batch/batch.h"
#include "odata/entity_page.h"
#include "odata/response_body.h"

namespace aztables {
namespace {

constexpr const char* kEtag = "W/\"datetime'2031-05-06T07%3A08%3A09.12345Z'\"";

std::string ErrorJson(const std::string& code, const std::string& message) {
  return R"({"odata.error":{"code":")" + code + R"(","message":{"lang":"en-US","value":")" +
         message + R"(\nRequestId:0a0b0c0d-0000-0000-0000-000000000001\n)" +
         R"(Time:2031-05-06T07:08:09.1230000Z"}}})";
}

std::string ErrorPart(const std::string& status, const std::string& json) {
  return "HTTP/1.1 " + status +
         "\r\nContent-ID: 1\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n"
         "DataServiceVersion: 3.0;\r\nContent-Type: application/json;odata=minimalmetadata;"
         "streaming=true;charset=utf-8\r\n\r\n" +
         json + "\r\n";
}

constexpr const char* kBatchType = "multipart/mixed; boundary=batchresponse_1234";

std::string Batch(const std::vector<std::string>& parts, bool changeset = true) {
  const std::string inner = changeset ? "changesetresponse_5678" : "batchresponse_1234";
  std::string body;
  if (changeset) {
    body =
        "--batchresponse_1234\r\nContent-Type: multipart/mixed; "
        "boundary=changesetresponse_5678\r\n\r\n";
  }
  for (const std::string& part : parts) {
    body += "--";
    body += inner;
    body += "\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n";
    body += part;
  }
  return body + (changeset ? "--changesetresponse_5678--\r\n" : "") + "--batchresponse_1234--\r\n";
}

TEST(BatchShapesTest, Success) {
  const std::string written =
      "HTTP/1.1 204 No Content\r\nContent-ID: 1\r\nX-Content-Type-Options: nosniff\r\n"
      "Cache-Control: no-cache\r\nPreference-Applied: return-no-content\r\n"
      "DataServiceVersion: 3.0;\r\nLocation: "
      "https://pantry.example/jars(PartitionKey='s',RowKey='1')"
      "\r\nDataServiceId: https://pantry.example/jars(PartitionKey='s',RowKey='1')\r\nETag: " +
      std::string(kEtag) + "\r\n\r\n\r\n";
  const std::string deleted =
      "HTTP/1.1 204 No Content\r\nContent-ID: 2\r\nDataServiceVersion: 1.0;\r\n\r\n\r\n";
  const std::string echoed =
      "HTTP/1.1 201 Created\r\nDataServiceVersion: 3.0;\r\nContent-Type: application/json\r\n"
      "ETag: " +
      std::string(kEtag) + "\r\n\r\n{\"PartitionKey\":\"s\",\"RowKey\":\"1\"}\r\n";
  const auto parts = DecodeBatch(kBatchType, Batch({written, deleted, echoed}));
  ASSERT_TRUE(parts.ok()) << parts.status().message();
  ASSERT_EQ(parts->size(), 3U);
  EXPECT_EQ((*parts)[0].status, 204);
  EXPECT_EQ((*parts)[0].etag, kEtag);
  EXPECT_EQ((*parts)[0].body, "");
  EXPECT_EQ((*parts)[1].etag, "");
  EXPECT_EQ((*parts)[2].status, 201);
  EXPECT_EQ((*parts)[2].body, "{\"PartitionKey\":\"s\",\"RowKey\":\"1\"}");
  EXPECT_TRUE(DecodeBatch(kBatchType, Batch({}))->empty()) << "an empty changeset";
}

TEST(BatchShapesTest, Failures) {
  struct Failure {
    const char* status;
    int code;
    const char* message;
    bool changeset;
    int index;
    const char* said;
  };
  constexpr Failure kFailures[] = {
      {"409 Conflict", 409, "3:It is there.", true, 3, "It is there."},
      {"409 Conflict", 409, "It is there.", true, -1, "It is there."},
      {"412 Precondition Failed", 412, "It has changed.", true, -1, "It has changed."},
      {"404 Not Found", 404, "0:No such table.", true, 0, "No such table."},
      {"400 Bad Request", 400, "99:Too many: 101.", true, 99, "Too many: 101."},
      {"404 Not Found", 404, "0:No such entity.", false, 0, "No such entity."},
  };
  for (const Failure& failure : kFailures) {
    const std::string json = ErrorJson("SomeCode", failure.message);
    const auto parts =
        DecodeBatch(kBatchType, Batch({ErrorPart(failure.status, json)}, failure.changeset));
    ASSERT_TRUE(parts.ok()) << parts.status().message();
    ASSERT_EQ(parts->size(), 1U) << failure.message;
    EXPECT_EQ((*parts)[0].status, failure.code);
    EXPECT_EQ((*parts)[0].body, json);
    const ErrorBody error = ReadErrorBody((*parts)[0].body);
    EXPECT_EQ(error.code, "SomeCode");
    EXPECT_EQ(error.operation_index, failure.index);
    EXPECT_EQ(error.message, failure.said);
  }
}

TEST(BatchShapesTest, OfASingleRead) {
  const auto parts = DecodeBatch(
      kBatchType, Batch({"HTTP/1.1 200 OK\r\nETag: W/\"e\"\r\n\r\n{\"Beans\":5}\r\n"}, false));
  ASSERT_TRUE(parts.ok());
  ASSERT_EQ(parts->size(), 1U);
  EXPECT_EQ((*parts)[0].status, 200);
  EntityPage page({{"Beans"}, false});
  ASSERT_TRUE(page.ReadEntity((*parts)[0].body).ok());
  EXPECT_EQ(page.At(0, EntityPage::kFirstProperty).integer, 5);
}

}  // namespace
}  // namespace aztables
