// Bodies of batch requests as the service reads them: all forms that clients send, and errors.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "odata/batch/batch_exchange.h"
#include "support/texts.h"

namespace aztables {
namespace {

using support::Replace;

constexpr const char* kRequestType = "multipart/mixed; boundary=batch_a";
const std::string kOpen = "--batch_a\nContent-Type: multipart/mixed; boundary=changeset_b\n\n";
const std::string kClose = "--changeset_b--\n--batch_a--\n";

std::string RequestPart(const std::string& request) {
  return "--changeset_b\nContent-Type: application/http\nContent-Transfer-Encoding: binary\n\n" +
         request;
}
const std::string kInsert =
    "POST /T HTTP/1.1\nContent-ID: 1\nContent-Type: application/json\n"
    "Accept: application/json;odata=minimalmetadata\nPrefer: return-no-content\n"
    "Content-Length: 17\n\n{\"A\": \"--batch_a\"}\n\n";
const std::string kDelete = "DELETE /T(PartitionKey='p',RowKey='') HTTP/1.1\nIf-Match: *\n\n";
const std::string kGet =
    "--batch_a\nContent-Type: application/http\nContent-Transfer-Encoding: binary\n\n"
    "GET /T(PartitionKey='p',RowKey='r') HTTP/1.1\nAccept: application/json\n\n\n";
using Headers = decltype(BatchRequest::headers);

const std::string kTwo = kOpen + RequestPart(kInsert) + RequestPart(kDelete) + kClose;

void ExpectTwo(const std::string& body, const char* type = kRequestType) {
  const auto content = DecodeBatchRequest(type, body);
  ASSERT_TRUE(content.ok()) << content.status().message() << "\n" << body;
  EXPECT_TRUE(content->changeset);
  ASSERT_EQ(content->requests.size(), 2U) << body;
  const BatchRequest& insert = content->requests[0];
  EXPECT_EQ(insert.method, "POST");
  EXPECT_EQ(insert.url, "/T");
  EXPECT_EQ(insert.headers, (Headers{{"Content-ID", "1"},
                                     {"Content-Type", "application/json"},
                                     {"Accept", "application/json;odata=minimalmetadata"},
                                     {"Prefer", "return-no-content"},
                                     {"Content-Length", "17"}}));
  EXPECT_EQ(insert.body, "{\"A\": \"--batch_a\"}");
  EXPECT_EQ(content->requests[1].method, "DELETE");
  EXPECT_EQ(content->requests[1].url, "/T(PartitionKey='p',RowKey='')");
  EXPECT_EQ(content->requests[1].headers, (Headers{{"If-Match", "*"}}));
  EXPECT_EQ(content->requests[1].body, "");
}

TEST(BatchRequestTest, FormsOfTheBody) {
  ExpectTwo(kTwo);
  ExpectTwo(Replace(kTwo, "\n", "\r\n"));
  ExpectTwo("\n" + kTwo);
  // Azure's client for C++ writes the delimiter right after the body.
  const std::string unbroken = Replace(kTwo, "\"--batch_a\"}\n\n", "\"--batch_a\"}");
  EXPECT_NE(unbroken, kTwo);
  ExpectTwo(unbroken);
  ExpectTwo(Replace(unbroken, "\n", "\r\n"));
  ExpectTwo("\r\n\r\n" + kTwo + "\r\n\r\n");
  ExpectTwo(kTwo.substr(0, kTwo.size() - 1));
  ExpectTwo(Replace(kTwo, "--batch_a--", "\n--batch_a--"));
  ExpectTwo(Replace(kTwo, "boundary=changeset_b\n\n", "boundary=changeset_b\n\n\n\n"));
  ExpectTwo(Replace(kTwo, "--changeset_b--", "\n\n--changeset_b--"));
  ExpectTwo(Replace(kTwo, "\n\n{", "\n\n\n{"));
  ExpectTwo(Replace(kTwo, "}\n\n", "}\n"));
  ExpectTwo(Replace(kTwo, "If-Match: *\n\n", "If-Match: *\n"));
  ExpectTwo(Replace(kTwo, "binary\n\nPOST", "binary\nContent-ID: 7\n\n\nPOST"));
  ExpectTwo(Replace(Replace(kTwo, "Content-Transfer-Encoding", "content-transfer-encoding"),
                    "Content-Type: application/http", "content-type: application/http"));
  ExpectTwo(Replace(kTwo, "Content-Type: multipart", "content-type: Multipart"));
  ExpectTwo(Replace(kTwo, "Content-Transfer-Encoding: binary\n", ""));
  ExpectTwo(Replace(kTwo, "application/http\n", "application/http; msgtype=request\n"));
  ExpectTwo(Replace(kTwo, "--changeset_b\n", "--changeset_b \t\n"));
  ExpectTwo(Replace(kTwo, "boundary=changeset_b", "boundary=\"changeset_b\""));
  ExpectTwo(kTwo, "Multipart/MIXED;Boundary=\"batch_a\"");
  ExpectTwo(kTwo, "multipart/mixed; charset=utf-8; boundary=batch_a; x=y");
}

TEST(BatchRequestTest, MissingLastBoundaries) {
  const std::string open = kOpen + RequestPart(kInsert) + RequestPart(kDelete);
  for (const char* end : {"--changeset_b--", "--changeset_b--\n", "--changeset_b--\n--batch_a",
                          "--changeset_b--\n\n--batch_a\n\n"}) {
    ExpectTwo(open + end);
  }
  // A changeset without its end may lack operations, so none of it is executed.
  for (const char* end :
       {"", "--changeset_b", "--changeset_b\n", "--batch_a--\n", "--batch_a\n",
        "--changeset_b\n--batch_a--", "--changeset_b\n\n--batch_a\n", "--changeset_b-"}) {
    EXPECT_FALSE(DecodeBatchRequest(kRequestType, open + end).ok()) << end;
  }
}

TEST(BatchRequestTest, ABoundaryCountsOnlyAsAWholeLine) {
  for (const char* body :
       {"{\"A\":\"--changeset_b--\"}", "{\"A\":\n \"--changeset_b\"}", "{\"A\":1}\n --changeset_b",
        "{\"A\":\"\n--changeset_bb\n--changeset_b-\n--batch_a--x\n--changeset_\n--\"}"}) {
    std::string batch = kOpen + RequestPart("PUT /T HTTP/1.1\n\n" + std::string(body) + "\n");
    batch += kClose;
    const auto content = DecodeBatchRequest(kRequestType, batch);
    ASSERT_TRUE(content.ok()) << body;
    ASSERT_EQ(content->requests.size(), 1U) << body;
    EXPECT_EQ(content->requests[0].body, body);
  }
}

TEST(BatchRequestTest, RequestLinesAndHeads) {
  const std::string body =
      kOpen +
      RequestPart(
          "MERGE https://a.example/T(PartitionKey='a%20b',RowKey='c') HTTP/1.1\n"
          "x-ms-version:2019-02-02\nX-Empty:\nIf-Match:  W/\"datetime'2012:1'\"  \n\n") +
      RequestPart(
          "PATCH /T(PartitionKey='a b',RowKey='\xC3\xA4 HTTP/1.1') HTTP/1.1\n"
          "Content-Length: 5DataServiceVersion: 3.0;\n\n") +
      RequestPart("PUT /T HTTP/1.1\n") + kClose;
  const auto content = DecodeBatchRequest(kRequestType, body);
  ASSERT_TRUE(content.ok()) << content.status().message();
  ASSERT_EQ(content->requests.size(), 3U);
  EXPECT_EQ(content->requests[0].url, "https://a.example/T(PartitionKey='a%20b',RowKey='c')");
  EXPECT_EQ(content->requests[0].headers, (Headers{{"x-ms-version", "2019-02-02"},
                                                   {"X-Empty", ""},
                                                   {"If-Match", "W/\"datetime'2012:1'\""}}));
  EXPECT_EQ(content->requests[1].url, "/T(PartitionKey='a b',RowKey='\xC3\xA4 HTTP/1.1')");
  EXPECT_EQ(content->requests[1].headers,
            (Headers{{"Content-Length", "5DataServiceVersion: 3.0;"}}));
  EXPECT_EQ(content->requests[2].method, "PUT");
}

TEST(BatchRequestTest, EmptyChangesets) {
  for (const std::string& body : {kOpen + kClose, kOpen + "--changeset_b--\n--batch_a--"}) {
    const auto content = DecodeBatchRequest(kRequestType, body);
    ASSERT_TRUE(content.ok()) << body;
    EXPECT_TRUE(content->changeset);
    EXPECT_TRUE(content->requests.empty());
  }
}

TEST(BatchRequestTest, ASingleGet) {
  for (const char* end : {"--batch_a--\n", "--batch_a--", "", "--batch_a"}) {
    const std::string body = kGet + end;
    const auto content = DecodeBatchRequest(kRequestType, body);
    ASSERT_TRUE(content.ok()) << end;
    EXPECT_FALSE(content->changeset);
    ASSERT_EQ(content->requests.size(), 1U);
    EXPECT_EQ(content->requests[0].method, "GET");
    EXPECT_EQ(content->requests[0].url, "/T(PartitionKey='p',RowKey='r')");
    EXPECT_EQ(content->requests[0].headers, (Headers{{"Accept", "application/json"}}));
  }
}

TEST(BatchRequestTest, MoreThanAHundredOperations) {
  std::string body = kOpen;
  for (int i = 0; i < 1000; ++i) body += RequestPart(kInsert);
  body += kClose;
  const auto content = DecodeBatchRequest(kRequestType, body);
  ASSERT_TRUE(content.ok());
  EXPECT_EQ(content->requests.size(), 1000U);
}

TEST(BatchRequestTest, Refused) {
  const std::string changeset = kOpen + RequestPart(kDelete) + "--changeset_b--\n";
  const std::pair<std::string, std::string> kCases[] = {
      {"", kTwo},
      {"application/json", kTwo},
      {"multipart/mixedx; boundary=batch_a", kTwo},
      {"multipart/form-data; boundary=batch_a", kTwo},
      {"multipart/mixed", kTwo},
      {"multipart/mixed; boundary=", kTwo},
      {"multipart/mixed; boundary=\"\"", kTwo},
      {"multipart/mixed; boundary=other", kTwo},
      {"multipart/mixed; boundary=changeset_b", kTwo},
      {kRequestType, ""},
      {kRequestType, "\n"},
      {kRequestType, "--batch_a--\n"},
      {kRequestType, "--batch_a\n"},
      {kRequestType, "--batch_a\n--batch_a--\n"},
      {kRequestType, "{\"A\":1}"},
      // More than one changeset or one GET.
      {kRequestType, changeset + changeset + "--batch_a--"},
      {kRequestType, changeset + kGet + "--batch_a--"},
      {kRequestType, kGet + changeset + "--batch_a--"},
      {kRequestType, kGet + kGet + "--batch_a--"},
      {kRequestType, changeset + "--changeset_b\n" + "--batch_a--"},
      {kRequestType, changeset + RequestPart(kDelete) + "--batch_a--"},
      {kRequestType, changeset + "DELETE /T HTTP/1.1\n--batch_a--"},
      {kRequestType, kTwo + "x"},
      {kRequestType, kTwo + changeset},
      {kRequestType, "x\n" + kTwo},
      {kRequestType, Replace(kTwo, "boundary=changeset_b\n\n", "boundary=changeset_b\n\nx\n")},
      // Methods in the wrong place.
      {kRequestType, Replace(kTwo, "DELETE", "GET")},
      {kRequestType, Replace(kTwo, "DELETE", "delete")},
      {kRequestType, Replace(kGet, "GET", "DELETE")},
      {kRequestType, Replace(kGet, "GET", "get")},
      // Types of parts.
      {kRequestType, Replace(kTwo, "application/http", "application/json")},
      {kRequestType, Replace(kTwo, "Content-Type: application/http\n", "")},
      {kRequestType, Replace(kTwo, "application/http", "multipart/mixed; boundary=c")},
      {kRequestType, Replace(kTwo, "multipart/mixed", "application/json")},
      {kRequestType, Replace(kTwo, "; boundary=changeset_b", "")},
      {kRequestType, Replace(kTwo, "changeset_b", "batch_a")},
      {kRequestType, Replace(kTwo, "boundary=changeset_b", "boundary=changeset_c")},
      // Request lines and heads.
      {kRequestType, Replace(kTwo, " HTTP/1.1", "")},
      {kRequestType, Replace(kTwo, " HTTP/1.1", " HTTP/1.0")},
      {kRequestType, Replace(kTwo, "POST /T HTTP/1.1", "POST HTTP/1.1")},
      {kRequestType, Replace(kTwo, "POST /T HTTP/1.1", "POST  HTTP/1.1")},
      {kRequestType, Replace(kTwo, "POST /T HTTP/1.1", "POST  /T HTTP/1.1")},
      {kRequestType, Replace(kTwo, "POST /T HTTP/1.1", "POST /T  HTTP/1.1")},
      {kRequestType, Replace(kTwo, "POST /T HTTP/1.1", "POST\t/T HTTP/1.1")},
      {kRequestType, Replace(kTwo, "POST /T HTTP/1.1", "PO-ST /T HTTP/1.1")},
      {kRequestType, Replace(kTwo, "POST /T HTTP/1.1", "POST /T\x01 HTTP/1.1")},
      {kRequestType, Replace(kTwo, "POST /T HTTP/1.1", "POST /T\r HTTP/1.1")},
      {kRequestType, Replace(kTwo, "POST /T HTTP/1.1", "/T HTTP/1.1")},
      {kRequestType, Replace(kTwo, "POST /T HTTP/1.1", "HTTP/1.1 204 No Content")},
      {kRequestType, Replace(kTwo, "POST /T HTTP/1.1\n", "")},
      {kRequestType, Replace(kTwo, "Content-ID: 1", "Content-ID 1")},
      {kRequestType, Replace(kTwo, "Content-ID: 1", ": 1")},
      {kRequestType, Replace(kTwo, "Content-Transfer-Encoding: binary", "binary")},
      {kRequestType, Replace(kTwo, "17\n\n{\"A\": ", "17\n{\"A\" ")},
  };
  for (const auto& [type, body] : kCases) {
    const auto content = DecodeBatchRequest(type, body);
    ASSERT_FALSE(content.ok()) << type << "\n" << body;
    const Status status = content.status();
    EXPECT_EQ(status.code(), Code::kError);
    EXPECT_NE(status.message().find("the batch cannot be read: "), std::string_view::npos);
    EXPECT_EQ(status.failure().http_status, 400);
    EXPECT_EQ(status.failure().code, "InvalidInput");
    EXPECT_EQ(status.failure().message, "One of the request inputs is not valid.");
  }
}

}  // namespace
}  // namespace aztables
