// The addresses in responses: with the account in the path, in the host, and without accounts.
#include "judge/shapes.h"
#include "judge/stage.h"

namespace aztables::judge {
namespace {

struct Place {
  Addressing addressing;
  const char* base;
  const char* account;
};
constexpr Place kPlaces[] = {
    {Addressing::kHost, "https://shop.table.core.windows.net", "shop"},
    {Addressing::kPath, "http://127.0.0.1:10002/shop", "shop"},
    {Addressing::kNone, "http://127.0.0.1:10002", "devstoreaccount1"},
};

class AddressShapesTest : public testing::TestWithParam<Place> {
 protected:
  Response Ask(const std::string& method, const std::string& url, const std::string& body,
               const std::string& accept = "fullmetadata") {
    Question question;
    question.method = method;
    question.url = url;
    question.body = body;
    question.headers.Set("Accept", "application/json;odata=" + accept);
    return scene_.Ask(question);
  }
  static bool Has(const Response& response, const std::string& text) {
    return response.body.find(text) != std::string::npos;
  }

  const std::string base_ = GetParam().base;
  Scene scene_{"shop", kNowMs, GetParam().addressing};
};

TEST_P(AddressShapesTest, OfTablesAndEntities) {
  const Response table = Ask("POST", "/Tables", R"({"TableName":"Goods"})");
  EXPECT_EQ(table.status, 201);
  EXPECT_EQ(table.headers.Get("Location"), base_ + "/Tables('Goods')");
  EXPECT_TRUE(Has(table, R"("odata.metadata":")" + base_ + R"(/$metadata#Tables/@Element")"));
  EXPECT_TRUE(Has(table, R"("odata.id":")" + base_ + "/Tables('Goods')\""));
  EXPECT_TRUE(Has(table, R"("odata.type":")" + std::string(GetParam().account) + ".Tables\""));
  const Response entity = Ask("POST", "/Goods", R"({"PartitionKey":"p","RowKey":"r"})");
  const std::string path = "Goods(PartitionKey='p',RowKey='r')";
  EXPECT_EQ(entity.headers.Get("Location"), base_ + "/" + path);
  EXPECT_TRUE(Has(entity, R"("odata.metadata":")" + base_ + R"(/$metadata#Goods/@Element")"));
  EXPECT_TRUE(Has(entity, R"("odata.id":")" + base_ + "/" + path + "\""));
  EXPECT_TRUE(Has(entity, R"("odata.editLink":")" + path + "\""));
  EXPECT_TRUE(Has(entity, R"("odata.type":")" + std::string(GetParam().account) + ".Goods\""));
  EXPECT_TRUE(
      Has(Ask("GET", "/Goods", ""), R"("odata.metadata":")" + base_ + R"(/$metadata#Goods")"));
  EXPECT_TRUE(Has(Ask("GET", "/Tables", "", "minimalmetadata"),
                  R"("odata.metadata":")" + base_ + R"(/$metadata#Tables")"));
}

// An address in a batch may be absolute with any host. A relative one may omit the account.
TEST_P(AddressShapesTest, InsideOfBatches) {
  scene_.CreateTable("Goods");
  const std::string path = GetParam().addressing == Addressing::kPath ? "/shop" : "";
  int row = 0;
  for (const std::string& front : {base_, std::string(), path, "https://other.example" + path}) {
    const std::string key = std::to_string(++row);
    const std::string entity = R"({"PartitionKey":"p","RowKey":")" + key + R"("})";
    const std::string address = "/Goods(PartitionKey='p',RowKey='" + key + "')";
    Question batch;
    batch.url = "/$batch";
    MakeBatch(batch, {{"POST", front + "/Goods", {"Prefer: return-no-content"}, entity}});
    const Response written = scene_.Ask(batch);
    EXPECT_TRUE(Has(written, "HTTP/1.1 204 No Content\r\n")) << front << written.body;
    EXPECT_TRUE(Has(written, "\r\nLocation: " + base_ + address + "\r\n")) << written.body;
    MakeBatch(batch, {{"GET", front + address, {}, ""}});
    const Response read = scene_.Ask(batch);
    EXPECT_TRUE(Has(read, "HTTP/1.1 200 OK\r\n")) << front << read.body;
    EXPECT_TRUE(Has(read, base_ + "/$metadata#Goods/@Element")) << read.body;
  }
}

// The service must not apply an operation for another account to this account.
TEST_P(AddressShapesTest, InsideOfBatchesNoOtherAccounts) {
  if (GetParam().addressing == Addressing::kNone) return;  // the service has no accounts
  scene_.CreateTable("Goods");
  for (const std::string front :
       {"https://other.table.core.windows.net/other", "http://127.0.0.1:10002/other", "/other"}) {
    const std::string entity = R"({"PartitionKey":"p","RowKey":"r"})";
    Question batch;
    batch.url = "/$batch";
    MakeBatch(batch, {{"POST", front + "/Goods", {"Prefer: return-no-content"}, entity}});
    EXPECT_TRUE(Has(scene_.Ask(batch), R"("code":"InvalidUri")")) << front;
    MakeBatch(batch, {{"GET", front + "/Goods", {}, ""}});
    EXPECT_TRUE(Has(scene_.Ask(batch), R"("code":"InvalidUri")")) << front;
  }
  EXPECT_TRUE(Has(Ask("GET", "/Goods", "", "nometadata"), R"({"value":[]})"));
}

std::string NameOf(const testing::TestParamInfo<Place>& place) {
  constexpr const char* kNames[] = {"Host", "Path", "WithoutAccounts"};
  return kNames[place.index];
}
INSTANTIATE_TEST_SUITE_P(Places, AddressShapesTest, testing::ValuesIn(kPlaces), NameOf);

}  // namespace
}  // namespace aztables::judge
