// Checks reading batch responses: of storage, of Cosmos DB with its mixed line ends, bare JSON, cut
// and damaged responses.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "odata/batch/batch.h"
#include "odata/response_body.h"
#include "support/rounds.h"
#include "support/texts.h"

namespace aztables {
namespace {

using support::Replace;

constexpr const char* kResponseType = "multipart/mixed; boundary=batchresponse_aaaa";

std::string ResponsePart(const std::string& http) {
  return "--changesetresponse_bbbb\r\nContent-Type: application/http\r\n"
         "Content-Transfer-Encoding: binary\r\n\r\n" +
         http + "\r\n";
}

std::string MakeResponse(const std::string& parts) {
  return "--batchresponse_aaaa\r\n"
         "Content-Type: multipart/mixed; boundary=changesetresponse_bbbb\r\n\r\n" +
         parts + "--changesetresponse_bbbb--\r\n--batchresponse_aaaa--\r\n";
}

std::string Inserted(int i) {
  return ResponsePart(
      "HTTP/1.1 204 No Content\r\nContent-ID: 1\r\nX-Content-Type-Options: nosniff\r\n"
      "Preference-Applied: return-no-content\r\nDataServiceVersion: 3.0;\r\n"
      "Location: https://acct.example/T(PartitionKey='p',RowKey='r')\r\nETag: W/\"e" +
      std::to_string(i) + "\"\r\n\r\n");
}

std::string InsertResponse(int operations) {
  std::string parts;
  for (int i = 0; i < operations; ++i) parts += Inserted(i);
  return MakeResponse(parts);
}

const std::string kError =
    R"({"odata.error":{"code":"Conflict","message":{"lang":"en-US","value":"3:It exists.\nA:1"}}})";

std::string ErrorResponse() {
  return MakeResponse(
      ResponsePart("HTTP/1.1 409 Conflict\r\nContent-ID: 4\r\n"
                   "Content-Type: application/json;odata=minimalmetadata\r\n\r\n" +
                   kError));
}

void ExpectInserts(const std::string& type, const std::string& body, size_t operations) {
  const auto parts = DecodeBatch(type, body);
  ASSERT_TRUE(parts.ok()) << parts.status().message();
  ASSERT_EQ(parts->size(), operations);
  for (size_t i = 0; i < operations; ++i) {
    EXPECT_EQ((*parts)[i].status, 204);
    EXPECT_EQ((*parts)[i].etag, "W/\"e" + std::to_string(i) + "\"");
    EXPECT_EQ((*parts)[i].body, "");
  }
}

TEST(BatchDecodeTest, SuccessOfOneAndOfMany) {
  for (const int operations : {1, 2, 100}) {
    ExpectInserts(kResponseType, InsertResponse(operations), static_cast<size_t>(operations));
  }
}

TEST(BatchDecodeTest, EmptyChangeset) { ExpectInserts(kResponseType, InsertResponse(0), 0); }

TEST(BatchDecodeTest, FailureIsOnePartWithAnIndex) {
  const auto parts = DecodeBatch(kResponseType, ErrorResponse());
  ASSERT_TRUE(parts.ok());
  ASSERT_EQ(parts->size(), 1U);
  EXPECT_EQ((*parts)[0].status, 409);
  EXPECT_EQ((*parts)[0].etag, "");
  EXPECT_EQ((*parts)[0].body, kError);
  EXPECT_EQ(ReadErrorBody((*parts)[0].body).operation_index, 3);
}

TEST(BatchDecodeTest, MixedResponsesOfUpdatesAndDeletes) {
  const auto parts = DecodeBatch(
      kResponseType,
      MakeResponse(ResponsePart("HTTP/1.1 204 No Content\r\netag:   W/\"x\"  \r\n\r\n") +
                   ResponsePart("HTTP/1.1 204 No Content\r\n\r\n") +
                   ResponsePart("HTTP/1.1 201 Created\r\nETag: W/\"y\"\r\nContent-Type: "
                                "application/json\r\n\r\n{\"A\":1}")));
  ASSERT_TRUE(parts.ok());
  ASSERT_EQ(parts->size(), 3U);
  EXPECT_EQ((*parts)[0].etag, "W/\"x\"") << "in any case, without blanks";
  EXPECT_EQ((*parts)[1].etag, "");
  EXPECT_EQ((*parts)[2].status, 201);
  EXPECT_EQ((*parts)[2].body, "{\"A\":1}");
}

TEST(BatchDecodeTest, ASingleReadStandsOutsideOfAChangeset) {
  const auto parts = DecodeBatch(kResponseType,
                                 "--batchresponse_aaaa\r\nContent-Type: application/http\r\n\r\n"
                                 "HTTP/1.1 200 OK\r\nETag: W/\"e\"\r\n\r\n{\"A\":1}\r\n"
                                 "--batchresponse_aaaa--\r\n");
  ASSERT_TRUE(parts.ok());
  ASSERT_EQ(parts->size(), 1U);
  EXPECT_EQ((*parts)[0].status, 200);
  EXPECT_EQ((*parts)[0].body, "{\"A\":1}");
}

TEST(BatchDecodeTest, LineEnds) {
  const std::string crlf = InsertResponse(3);
  ExpectInserts(kResponseType, Replace(crlf, "\r\n", "\n"), 3);
  // Cosmos DB: LF around the parts, CRLF inside them.
  ExpectInserts(kResponseType, Replace(crlf, "binary\r\n\r\n", "binary\n\n"), 3);
  ExpectInserts(kResponseType, Replace(Replace(crlf, "_bbbb\r\n", "_bbbb\n"), "http\r\n", "http\n"),
                3);
  const auto error = DecodeBatch(kResponseType, Replace(ErrorResponse(), "\r\n", "\n"));
  ASSERT_TRUE(error.ok());
  ASSERT_EQ(error->size(), 1U);
  EXPECT_EQ((*error)[0].body, kError);
}

TEST(BatchDecodeTest, MissingLastBoundaries) {
  const std::string body = InsertResponse(3);
  ExpectInserts(kResponseType, body.substr(0, body.find("--batchresponse_aaaa--")), 3);
  ExpectInserts(kResponseType, body.substr(0, body.find("--changesetresponse_bbbb--")), 3);
}

TEST(BatchDecodeTest, FormsOfTheHeader) {
  const std::string body = InsertResponse(2);
  for (const char* type : {"multipart/mixed; boundary=\"batchresponse_aaaa\"",
                           "MULTIPART/mixed;Boundary=batchresponse_aaaa",
                           "multipart/mixed; charset=utf-8; boundary=batchresponse_aaaa",
                           "multipart/mixed; boundary=batchresponse_aaaa; charset=utf-8",
                           "multipart/mixed; boundary= batchresponse_aaaa ;x"}) {
    ExpectInserts(type, body, 2);
  }
  ExpectInserts(
      kResponseType,
      Replace(body, "boundary=changesetresponse_bbbb", "boundary=\"changesetresponse_bbbb\""), 2);
  ExpectInserts(kResponseType, "a preamble\r\n" + body + "an epilogue", 2);
}

TEST(BatchDecodeTest, BareJsonInPlaceOfMultipart) {
  for (const char* type : {"application/json;odata=minimalmetadata", "", kResponseType}) {
    for (const std::string& body : {kError, "\r\n" + kError + "\r\n"}) {
      const auto parts = DecodeBatch(type, body);
      ASSERT_TRUE(parts.ok()) << type;
      ASSERT_EQ(parts->size(), 1U) << type;
      EXPECT_EQ((*parts)[0].status, 400);
      EXPECT_EQ((*parts)[0].body, kError);
    }
  }
}

TEST(BatchDecodeTest, Garbage) {
  const std::pair<const char*, std::string> kBad[] = {
      {"text/html", "<html></html>"},
      {"", ""},
      {"application/json", ""},
      {"application/json", "[1]"},
      {"multipart/mixed", InsertResponse(1)},
      {"multipart/mixed; boundary=", InsertResponse(1)},
      {"multipart/mixed; boundary=\"\"", InsertResponse(1)},
      {kResponseType, MakeResponse(ResponsePart("204 No Content\r\n\r\n"))},
      {kResponseType, MakeResponse(ResponsePart("HTTP/1.1\r\n\r\n"))},
      {kResponseType, MakeResponse(ResponsePart("HTTP/1.1 \r\n\r\n"))},
      {kResponseType, MakeResponse(ResponsePart("HTTP/1.1 20\r\n\r\n"))},
      {kResponseType, MakeResponse(ResponsePart("HTTP/1.1 abc No\r\n\r\n"))},
      {kResponseType, MakeResponse(ResponsePart("HTTP/1.1 -99 No\r\n\r\n"))},
      {kResponseType, MakeResponse(ResponsePart(""))},
      {kResponseType, Replace(InsertResponse(1), "boundary=changesetresponse_bbbb", "")},
  };
  for (const auto& [type, body] : kBad) {
    const auto parts = DecodeBatch(type, body);
    ASSERT_FALSE(parts.ok()) << type << body;
    EXPECT_NE(parts.status().message().find("not the batch response"), std::string_view::npos);
  }
}

TEST(BatchDecodeTest, WithoutItsBoundaryNothingIsFound) {
  for (const std::string& body : {InsertResponse(3), std::string("<html></html>")}) {
    const auto parts = DecodeBatch("multipart/mixed; boundary=other", body);
    EXPECT_TRUE(!parts.ok() || parts->empty());
  }
}

TEST(BatchDecodeTest, NestingIsBounded) {
  std::string body;
  for (int i = 0; i < 2000; ++i) {
    body += "--b" + std::to_string(i) + "x\r\nContent-Type: multipart/mixed; boundary=b" +
            std::to_string(i + 1) + "x\r\n\r\n";
  }
  EXPECT_FALSE(DecodeBatch("multipart/mixed; boundary=b0x", body).ok());
  EXPECT_FALSE(DecodeBatch("multipart/mixed; boundary=b",
                           "--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n")
                   .ok());
}

TEST(BatchDecodeTest, CutAtEveryByteReportsNoMorePartsThanThereAre) {
  const std::string body = InsertResponse(4);
  for (size_t size = 0; size < body.size(); ++size) {
    const std::string cut = body.substr(0, size);
    const auto parts = DecodeBatch(kResponseType, cut);
    if (!parts.ok()) continue;
    size_t begun = 0;  // status lines whose three digits have arrived
    for (size_t at = cut.find("HTTP/1.1 204"); at != std::string::npos;
         at = cut.find("HTTP/1.1 204", at + 1)) {
      ++begun;
    }
    ASSERT_EQ(parts->size(), begun) << cut;
    for (const BatchPart& part : *parts) ASSERT_EQ(part.status, 204);
  }
}

TEST(BatchDecodeTest, ACutErrorIsNeverASuccess) {
  const std::string body = ErrorResponse();
  size_t unreadable = 0;  // cut inside one of the two last boundaries
  for (size_t size = body.find("409") + 3; size < body.size(); ++size) {
    const auto parts = DecodeBatch(kResponseType, body.substr(0, size));
    if (!parts.ok()) {
      ++unreadable;
      continue;
    }
    ASSERT_EQ(parts->size(), 1U);
    EXPECT_EQ((*parts)[0].status, 409);
  }
  EXPECT_LE(unreadable, 4U);
}

TEST(BatchDecodeTest, RandomChangesNeverCrash) {
  std::mt19937 random(12);
  const std::string bodies[] = {InsertResponse(3), ErrorResponse()};
  for (int i = 0; i < support::Rounds(20'000); ++i) {
    std::string body = bodies[i % 2];
    for (size_t n = 1 + random() % 5; n > 0; --n) {
      body[random() % body.size()] =
          random() % 2 == 0 ? static_cast<char>(random()) : "\r\n-: _ab"[random() % 8];
    }
    const auto parts = DecodeBatch(kResponseType, body);
    if (parts.ok()) {
      ASSERT_LE(parts->size(), 3U);
    }
  }
}

}  // namespace
}  // namespace aztables
