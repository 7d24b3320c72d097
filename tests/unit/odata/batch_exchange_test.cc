// Batches between client and service: bytes of responses, round trips in both directions, large and
// hostile bodies.
#include "odata/batch/batch_exchange.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "odata/batch/batch.h"
#include "support/rounds.h"
#include "unit/odata/batch_ids.h"

namespace aztables {
namespace {

TEST(BatchResponseTest, Golden) {
  const EncodedBatchResponse response =
      EncodeBatchResponse({{204, {{"Content-ID", "1"}, {"ETag", "W/\"e\""}}, ""},
                           {409, {{"Content-Type", "application/json"}}, "{\"odata.error\":{}}"},
                           {204, {}, ""}},
                          "X", "Y");
  EXPECT_EQ(response.content_type, "multipart/mixed; boundary=batchresponse_X");
  EXPECT_EQ(response.body,
            "--batchresponse_X\r\n"
            "Content-Type: multipart/mixed; boundary=changesetresponse_Y\r\n\r\n"
            "--changesetresponse_Y\r\n"
            "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
            "HTTP/1.1 204 No Content\r\nContent-ID: 1\r\nETag: W/\"e\"\r\n\r\n\r\n"
            "--changesetresponse_Y\r\n"
            "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
            "HTTP/1.1 409 Conflict\r\nContent-Type: application/json\r\n\r\n"
            "{\"odata.error\":{}}\r\n"
            "--changesetresponse_Y\r\n"
            "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
            "HTTP/1.1 204 No Content\r\n\r\n\r\n"
            "--changesetresponse_Y--\r\n--batchresponse_X--\r\n");
}

TEST(BatchResponseTest, EmptyChangeset) {
  EXPECT_EQ(EncodeBatchResponse({}, "X", "Y").body,
            "--batchresponse_X\r\n"
            "Content-Type: multipart/mixed; boundary=changesetresponse_Y\r\n\r\n"
            "--changesetresponse_Y--\r\n--batchresponse_X--\r\n");
}

TEST(BatchResponseTest, WithoutChangeset) {
  EXPECT_EQ(EncodeBatchResponse({{200, {{"ETag", "e"}}, "{\"A\":1}"}}, "X", "").body,
            "--batchresponse_X\r\n"
            "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
            "HTTP/1.1 200 OK\r\nETag: e\r\n\r\n{\"A\":1}\r\n"
            "--batchresponse_X--\r\n");
}

TEST(BatchResponseTest, ReasonPhrases) {
  const std::pair<int, const char*> kPhrases[] = {
      {200, "OK"},
      {201, "Created"},
      {202, "Accepted"},
      {204, "No Content"},
      {400, "Bad Request"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {409, "Conflict"},
      {412, "Precondition Failed"},
      {500, "Internal Server Error"},
      {501, "Not Implemented"},
      {503, "Service Unavailable"},
      {507, "Insufficient Storage"},
      {413, "Request Entity Too Large"},
      {418, "Unknown"},
  };
  for (const auto& [status, phrase] : kPhrases) {
    const std::string body = EncodeBatchResponse({{status, {}, ""}}, "X", "Y").body;
    EXPECT_NE(body.find("HTTP/1.1 " + std::to_string(status) + " " + phrase + "\r\n\r\n\r\n"),
              std::string::npos)
        << body;
  }
}

TEST(BatchExchangeTest, TheClientReadsWhatTheServiceWrites) {
  for (const char* changeset : {kChangesetId, ""}) {
    std::vector<OperationResponse> responses;
    responses.reserve(100);
    for (int i = 0; i < 100; ++i) {
      responses.push_back(
          {i % 3 == 0 ? 409 : 204,
           {{"Content-ID", std::to_string(i)}, {"ETag", "W/\"" + std::to_string(i)}},
           i % 3 == 0 ? "{\"A\":\"--batchresponse_\"}" : ""});
    }
    const EncodedBatchResponse encoded = EncodeBatchResponse(responses, kBatchId, changeset);
    const auto parts = DecodeBatch(encoded.content_type, encoded.body);
    ASSERT_TRUE(parts.ok());
    ASSERT_EQ(parts->size(), responses.size());
    for (size_t i = 0; i < responses.size(); ++i) {
      EXPECT_EQ((*parts)[i].status, responses[i].status);
      EXPECT_EQ((*parts)[i].etag, responses[i].headers[1].second);
      EXPECT_EQ((*parts)[i].body, responses[i].body);
    }
  }
}

std::vector<BatchOperation> Operations(size_t count, size_t size) {
  std::vector<BatchOperation> operations;
  constexpr const char* kMethods[] = {"POST", "PUT", "MERGE", "DELETE"};
  for (size_t i = 0; i < count; ++i) {
    const std::string method = kMethods[i % 4];
    const std::string row = std::to_string(i);
    operations.push_back({method, "https://a.example/T(PartitionKey='p',RowKey='" + row + "')",
                          i % 2 == 0 ? "" : "W/\"datetime'" + row + "'\"",
                          method == "DELETE" ? "" : "{\"A\":\"" + std::string(size, '-') + "\"}"});
  }
  return operations;
}

void ExpectReadBack(const std::vector<BatchOperation>& operations) {
  const EncodedBatch batch = EncodeBatch(operations, kBatchId, kChangesetId);
  const auto content = DecodeBatchRequest(batch.content_type, batch.body);
  ASSERT_TRUE(content.ok()) << content.status().message();
  EXPECT_TRUE(content->changeset);
  ASSERT_EQ(content->requests.size(), operations.size());
  for (size_t i = 0; i < operations.size(); ++i) {
    const BatchRequest& request = content->requests[i];
    ASSERT_EQ(request.method, operations[i].method);
    ASSERT_EQ(request.url, operations[i].url);
    ASSERT_EQ(request.body, operations[i].body);
    std::string if_match;
    for (const auto& [name, value] : request.headers) {
      if (name == "If-Match") if_match = value;
    }
    ASSERT_EQ(if_match, operations[i].if_match);
  }
}

TEST(BatchExchangeTest, TheServiceReadsWhatTheClientWrites) {
  ExpectReadBack({});
  ExpectReadBack(Operations(1, 10));
  ExpectReadBack(Operations(100, 10));
  ExpectReadBack(Operations(100, 55'000));  // about 4 MiB
}

TEST(BatchExchangeTest, HostileBodiesTakeNoLonger) {
  const std::string open =
      "--batch_a\nContent-Type: multipart/mixed; boundary=changeset_b\n\n--changeset_b\n"
      "Content-Type: application/http\n\nPUT /T HTTP/1.1\n\n";
  const auto start = std::chrono::steady_clock::now();
  for (const std::string line : {"\n", "-", "--", "--\n", "--changeset_b", "--changeset_\n",
                                 "--changeset_b-\n", "\r", "\r\n", " ", "--batch_a --\n"}) {
    std::string body = open + "{\n";
    while (body.size() < 4 * 1024 * 1024) body += line;
    body += "\n}";
    const std::string whole = body + "\n--changeset_b--\n--batch_a--";
    const auto content = DecodeBatchRequest("multipart/mixed; boundary=batch_a", whole);
    ASSERT_TRUE(content.ok()) << line;
    ASSERT_EQ(content->requests.size(), 1U);
    EXPECT_EQ(content->requests[0].body, body.substr(open.size()));
  }
  const auto boundary = std::string(1024 * 1024, '-');
  EXPECT_FALSE(
      DecodeBatchRequest("multipart/mixed; boundary=" + boundary, std::string(4 * 1024 * 1024, '-'))
          .ok());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(BatchExchangeTest, RandomChangesNeverCrash) {
  const EncodedBatch batch = EncodeBatch(Operations(4, 20), kBatchId, kChangesetId);
  const std::string seeds[] = {batch.body,
                               "--batch_" + std::string(kBatchId) +
                                   "\nContent-Type: application/http\n\nGET /T HTTP/1.1\nA: b\n\n"};
  const std::string kPieces[] = {"\n",
                                 "\r\n",
                                 "--",
                                 ":",
                                 " ",
                                 "\n\n",
                                 "GET",
                                 "PUT ",
                                 "--batch_" + std::string(kBatchId),
                                 "boundary=",
                                 "HTTP/1.1",
                                 "--changeset_" + std::string(kChangesetId) + "\n",
                                 "Content-Type: application/http\n"};
  std::mt19937 random(3);
  int decoded = 0;
  for (int i = 0; i < support::Rounds(30'000); ++i) {
    std::string body = seeds[i % 2];
    for (size_t n = 1 + random() % 4; n > 0; --n) {
      const size_t at = random() % (body.size() + 1);
      switch (random() % 4) {
        case 0:
          body.insert(at, kPieces[random() % std::size(kPieces)]);
          break;
        case 1:
          body.insert(at, 1, static_cast<char>(random()));
          break;
        case 2:
          body.erase(at, random() % 8);
          break;
        default:
          if (random() % 4 == 0) body.resize(at);
      }
    }
    const auto content = DecodeBatchRequest(batch.content_type, body);
    if (!content.ok()) {
      ASSERT_EQ(content.status().failure().http_status, 400) << body;
      continue;
    }
    ++decoded;
    ASSERT_TRUE(content->changeset || content->requests.size() == 1) << body;
    for (const BatchRequest& request : content->requests) {
      ASSERT_EQ(request.method == "GET", !content->changeset) << body;
      ASSERT_FALSE(request.url.empty()) << body;
    }
  }
  EXPECT_GT(decoded, support::Rounds(1'000));
}

}  // namespace
}  // namespace aztables
