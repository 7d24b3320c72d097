// Checks writing batches: one golden text. Sizes computed in advance are never too small and hardly
// too large.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/crypto.h"
#include "odata/batch/batch.h"
#include "unit/odata/batch_ids.h"

namespace aztables {
namespace {

TEST(BatchEncodeTest, Golden) {
  const EncodedBatch batch = EncodeBatch(
      {{"POST", "https://acct.example/T", "", R"({"PartitionKey":"p","RowKey":"1"})"},
       {"MERGE", "https://acct.example/T(PartitionKey='p',RowKey='2')", "W/\"etag\"", R"({"A":2})"},
       {"DELETE", "https://acct.example/T(PartitionKey='p',RowKey='3')", "*", ""}},
      kBatchId, kChangesetId);
  EXPECT_EQ(batch.content_type,
            "multipart/mixed; boundary=batch_11111111-1111-4111-8111-111111111111");
  EXPECT_EQ(batch.body,
            "--batch_11111111-1111-4111-8111-111111111111\r\n"
            "Content-Type: multipart/mixed; boundary=changeset_22222222-2222-4222-8222-222222222222"
            "\r\n\r\n"
            "--changeset_22222222-2222-4222-8222-222222222222\r\n"
            "Content-Type: application/http\r\n"
            "Content-Transfer-Encoding: binary\r\n\r\n"
            "POST https://acct.example/T HTTP/1.1\r\n"
            "Content-Type: application/json\r\n"
            "Accept: application/json;odata=minimalmetadata\r\n"
            "Prefer: return-no-content\r\n"
            "DataServiceVersion: 3.0;\r\n\r\n"
            "{\"PartitionKey\":\"p\",\"RowKey\":\"1\"}\r\n"
            "--changeset_22222222-2222-4222-8222-222222222222\r\n"
            "Content-Type: application/http\r\n"
            "Content-Transfer-Encoding: binary\r\n\r\n"
            "MERGE https://acct.example/T(PartitionKey='p',RowKey='2') HTTP/1.1\r\n"
            "Content-Type: application/json\r\n"
            "Accept: application/json;odata=minimalmetadata\r\n"
            "If-Match: W/\"etag\"\r\n"
            "DataServiceVersion: 3.0;\r\n\r\n"
            "{\"A\":2}\r\n"
            "--changeset_22222222-2222-4222-8222-222222222222\r\n"
            "Content-Type: application/http\r\n"
            "Content-Transfer-Encoding: binary\r\n\r\n"
            "DELETE https://acct.example/T(PartitionKey='p',RowKey='3') HTTP/1.1\r\n"
            "Accept: application/json;odata=minimalmetadata\r\n"
            "If-Match: *\r\n"
            "DataServiceVersion: 3.0;\r\n\r\n"
            "\r\n"
            "--changeset_22222222-2222-4222-8222-222222222222--\r\n"
            "--batch_11111111-1111-4111-8111-111111111111--\r\n");
}

TEST(BatchEncodeTest, NoOperationIsAnEmptyChangeset) {
  const EncodedBatch batch = EncodeBatch({}, kBatchId, kChangesetId);
  EXPECT_EQ(batch.body,
            "--batch_11111111-1111-4111-8111-111111111111\r\n"
            "Content-Type: multipart/mixed; boundary=changeset_22222222-2222-4222-8222-222222222222"
            "\r\n\r\n"
            "--changeset_22222222-2222-4222-8222-222222222222--\r\n"
            "--batch_11111111-1111-4111-8111-111111111111--\r\n");
  EXPECT_EQ(batch.body.size(), kBatchFrameSize);
}

TEST(BatchEncodeTest, SizesToldBeforehand) {
  std::mt19937 random(11);
  const char* const methods[] = {"POST", "PUT", "MERGE", "DELETE"};
  for (int i = 0; i < 500; ++i) {
    std::vector<BatchOperation> operations(random() % 101);
    size_t computed = 0;
    for (BatchOperation& operation : operations) {
      operation.method = methods[random() % 4];
      operation.url = std::string(random() % 400, 'u');
      if (random() % 2 == 0) operation.if_match = std::string(random() % 60, 'e');
      if (operation.method != "DELETE") operation.body = std::string(random() % 700, 'b');
      computed += EncodedSize(operation);
    }
    const size_t real = EncodeBatch(operations, RandomGuid(), RandomGuid()).body.size();
    ASSERT_EQ(real, computed + kBatchFrameSize);
  }
}

TEST(BatchEncodeTest, OneOperationMoreAddsItsSize) {
  for (const char* method : {"POST", "PUT", "MERGE", "DELETE"}) {
    for (const char* etag : {"", "*", "W/\"datetime'2026-11-02T10%3A00%3A00.5Z'\""}) {
      const BatchOperation operation{method, "https://acct.example/T(PartitionKey='p',RowKey='r')",
                                     etag, std::string(method) == "DELETE" ? "" : "{\"A\":1}"};
      const size_t one = EncodeBatch({operation}, kBatchId, kChangesetId).body.size();
      const size_t two = EncodeBatch({operation, operation}, kBatchId, kChangesetId).body.size();
      EXPECT_EQ(two - one, EncodedSize(operation)) << method << etag;
      EXPECT_EQ(one - (two - one), kBatchFrameSize);
    }
  }
}

}  // namespace
}  // namespace aztables
