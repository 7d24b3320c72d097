// The shapes of responses to batches, byte for byte.
#include "judge/shapes.h"
#include "judge/stage.h"

namespace aztables::judge {
namespace {

const std::string kRowPrefix = "/Goods(PartitionKey='p',RowKey='";

class BatchShapesTest : public ShapesTest {
 protected:
  BatchShapesTest() { scene_.CreateTable("Goods"); }

  static AskedOperation Insertion(const std::string& row, std::vector<std::string> headers,
                                  const std::string& table = "Goods") {
    return {"POST", "/" + table, std::move(headers),
            R"({"PartitionKey":"p","RowKey":")" + row + R"("})"};
  }
  static AskedOperation On(const std::string& method, const std::string& row,
                           std::vector<std::string> headers) {
    return {method, kRowPrefix + row + "')", std::move(headers),
            method == "DELETE" || method == "GET" ? "" : R"({"A":1})"};
  }
  // The response with these parts. Each has a head (without its last empty line) and a body.
  static Response BatchResponse(const std::vector<std::pair<std::string, std::string>>& parts,
                                bool changeset = true) {
    const std::string outer = "batchresponse_<guid>";
    const std::string inner = "changesetresponse_<guid>";
    std::string body;
    if (changeset) {
      body = "--" + outer + "\r\nContent-Type: multipart/mixed; boundary=" + inner + "\r\n\r\n";
    }
    for (const auto& [head, content] : parts) {
      body += "--" + (changeset ? inner : outer);
      body +=
          "\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
          "HTTP/1.1 ";
      body += head + "\r\n";
      body += content + "\r\n";
    }
    if (changeset) body += "--" + inner + "--\r\n";
    Response response = And(Plain(202), "Content-Type", "multipart/mixed; boundary=" + outer);
    response.body = body + "--" + outer + "--\r\n";
    return response;
  }
  static std::pair<std::string, std::string> Failure(const std::string& head,
                                                     const std::string& code,
                                                     const std::string& message) {
    return {
        head + "DataServiceVersion: 3.0;\r\nContent-Type: " + JsonType("minimalmetadata") + "\r\n",
        ErrorText(code, message)};
  }
  void CheckBatch(const std::vector<AskedOperation>& operations, const Response& right) {
    Question question = Of("POST", "/$batch");
    MakeBatch(question, operations);
    Check(question, right);
  }
};

const std::string kCommon = "X-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n";
const std::string kNoTable = "X-Content-Type-Options: nosniff\r\n";

TEST_F(BatchShapesTest, PartsWithoutContent) {
  scene_.Insert("Goods", R"({"PartitionKey":"p","RowKey":"old"})");
  scene_.Insert("Goods", R"({"PartitionKey":"p","RowKey":"older"})");
  const std::string url = std::string(kBase) + kRowPrefix + "1')";
  const std::string changed = kCommon + "DataServiceVersion: 1.0;\r\n";
  const std::string etag = "ETag: <etag>\r\n";
  CheckBatch(
      {Insertion("1", {"Prefer: return-no-content", "Content-ID: x"}),
       On("DELETE", "old", {"If-Match: *"}), On("MERGE", "older", {"If-Match: *"}),
       On("PUT", "new", {"content-id: 7"}), On("PATCH", "newer", {})},
      BatchResponse({{"204 No Content\r\nContent-ID: x\r\n" + kCommon +
                          "Preference-Applied: return-no-content\r\nDataServiceVersion: 3.0;\r\n"
                          "Location: " +
                          url + "\r\nDataServiceId: " + url + "\r\n" + etag,
                      ""},
                     {"204 No Content\r\n" + changed, ""},
                     {"204 No Content\r\n" + changed + etag, ""},
                     {"204 No Content\r\nContent-ID: 7\r\n" + changed + etag, ""},
                     {"204 No Content\r\n" + changed + etag, ""}}));
  CheckBatch({}, BatchResponse({}));
}

TEST_F(BatchShapesTest, PartsWithContent) {
  const std::string base = kBase;
  const auto part = [&](const std::string& row, const std::string& level, const std::string& id,
                        const std::string& preference, const std::string& members) {
    return std::pair("201 Created\r\nDataServiceVersion: 3.0;\r\nContent-Type: " + JsonType(level) +
                         "\r\n" + id + kCommon + preference + "Location: " + base + kRowPrefix +
                         row + "')\r\nETag: <etag>\r\n",
                     "{" + members + R"("PartitionKey":"p","RowKey":")" + row +
                         R"(","Timestamp":"<timestamp>"})");
  };
  CheckBatch({Insertion("1", {"Accept: application/json;odata=minimalmetadata"}),
              Insertion("2", {"Prefer: return-content", "Content-ID: 5",
                              "Accept: application/json;odata=nometadata"})},
             BatchResponse({part("1", "minimalmetadata", "", "",
                                 R"("odata.metadata":")" + base +
                                     R"(/$metadata#Goods/@Element","odata.etag":"<etag>",)"),
                            part("2", "nometadata", "Content-ID: 5\r\n",
                                 "Preference-Applied: return-content\r\n", "")}));
}

TEST_F(BatchShapesTest, OneGet) {
  scene_.Insert("Goods", R"({"PartitionKey":"p","RowKey":"1"})");
  const std::string head =
      "DataServiceVersion: 3.0;\r\nContent-Type: " + JsonType("nometadata") + "\r\n" + kCommon;
  const std::string entity = R"({"PartitionKey":"p","RowKey":"1","Timestamp":"<timestamp>"})";
  const std::vector<std::string> accept = {"Accept: application/json;odata=nometadata"};
  CheckBatch({On("GET", "1", accept)},
             BatchResponse({{"200 OK\r\n" + head + "ETag: <etag>\r\n", entity}}, false));
  CheckBatch({On("GET", "2", {})},
             BatchResponse({Failure("404 Not Found\r\n" + kCommon, "ResourceNotFound",
                                    "0:The specified resource does not exist.")},
                           false));
}

TEST_F(BatchShapesTest, Failures) {
  scene_.Insert("Goods", R"({"PartitionKey":"p","RowKey":"1"})");
  const std::string etag = "If-Match: W/\"datetime'2026-01-01T00%3A00%3A00Z'\"";
  const std::string silent = "Prefer: return-no-content";
  const std::string applied = "Preference-Applied: return-no-content\r\n";
  const std::string exists = "The specified entity already exists.";
  // The error of a single operation has no number, except if the table does not exist.
  CheckBatch({Insertion("1", {silent})},
             BatchResponse(
                 {Failure("409 Conflict\r\n" + kCommon + applied, "EntityAlreadyExists", exists)}));
  CheckBatch(
      {On("PUT", "1", {etag, "Content-ID: 9"})},
      BatchResponse({Failure("412 Precondition Failed\r\nContent-ID: 9\r\n" + kCommon,
                             "UpdateConditionNotSatisfied",
                             "The update condition specified in the request was not satisfied.")}));
  CheckBatch({Insertion("1", {silent}, "Other")},
             BatchResponse({Failure("404 Not Found\r\n" + kNoTable, "TableNotFound",
                                    "0:The table specified does not exist.")}));
  CheckBatch({Insertion("2", {}), Insertion("3", {}), Insertion("1", {silent})},
             BatchResponse({Failure("409 Conflict\r\n" + kCommon + applied, "EntityAlreadyExists",
                                    "2:" + exists)}));
}

// A query in a batch returns its continuation token, as a separate query does.
TEST_F(BatchShapesTest, AQueryKeepsItsContinuation) {
  Question hundred = Of("POST", "/$batch");
  std::vector<AskedOperation> operations;
  operations.reserve(10);
  for (int i = 0; i < 10; ++i) operations.push_back(Insertion(std::to_string(i), {}));
  MakeBatch(hundred, operations);
  ASSERT_EQ(scene_.Ask(hundred).status, 202);
  Question query = Of("POST", "/$batch");
  query.headers.Set("Content-Type", "multipart/mixed; boundary=batch_a");
  query.body =
      "--batch_a\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
      "GET " +
      kRowPrefix.substr(0, kRowPrefix.find('(')) + "()?$top=2 HTTP/1.1\r\n\r\n\r\n--batch_a--\r\n";
  const std::string response = scene_.Ask(query).body;
  EXPECT_NE(response.find("\r\nx-ms-continuation-NextPartitionKey: 1!"), std::string::npos)
      << response;
  EXPECT_NE(response.find("\r\nx-ms-continuation-NextRowKey: 1!"), std::string::npos) << response;
}

}  // namespace
}  // namespace aztables::judge
