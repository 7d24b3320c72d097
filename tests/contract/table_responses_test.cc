// Checks the responses to requests for tables: create, read, list, delete.
#include <algorithm>
#include <string>
#include <vector>

#include "raw_test_base.h"

namespace aztables {
namespace {

class TableResponsesTest : public RawTest {
 protected:
  void TearDown() override {
    if (wire_) static_cast<void>(client().DeleteTable(name_, options_, cancel_));
    RawTest::TearDown();
  }
  ParsedResponse Create(const std::string& prefer = "") const {
    Ask ask{.method = "POST", .path = "Tables", .body = R"({"TableName":")" + name_ + "\"}"};
    if (!prefer.empty()) ask.headers.emplace_back("Prefer", prefer);
    return Send(ask);
  }
  std::string Base() const {
    return wire_->settings().endpoint.Origin() + wire_->settings().endpoint.path + "/";
  }

  const std::string name_ = FreshName();
};

TEST_F(TableResponsesTest, Create) {
  const ParsedResponse created = Create();
  EXPECT_EQ(created.outcome(), "201");
  EXPECT_EQ(created.At("/odata.metadata"), "\"" + Base() + "$metadata#Tables/@Element\"");
  EXPECT_EQ(created.At("/TableName"), "\"" + name_ + "\"");
  EXPECT_EQ(created.etag(), "");
  EXPECT_EQ(created.headers.Get("Location"),
            Differs(Difference::kLocation) ? "" : Base() + "Tables('" + name_ + "')");
  const ParsedResponse again = Create("return-content");
  EXPECT_EQ(again.outcome(), "409 TableAlreadyExists");
  EXPECT_EQ(again.message, "The table specified already exists.");
  EXPECT_EQ(again.headers.Get("Preference-Applied"),
            Differs(Difference::kPreferenceApplied) ? "" : "return-content");
}

TEST_F(TableResponsesTest, CreateInSilence) {
  const ParsedResponse created = Create("return-no-content");
  EXPECT_EQ(created.outcome(), "204");
  EXPECT_EQ(created.body, "");
  EXPECT_EQ(created.headers.Get("Preference-Applied"), "return-no-content");
  EXPECT_EQ(created.headers.Get("Location").empty(), Differs(Difference::kLocation));
  EXPECT_EQ(created.headers.Get("DataServiceId"), created.headers.Get("Location"));
}

TEST_F(TableResponsesTest, ReadOne) {
  const ParsedResponse found = Send({.path = "Tables('" + table_ + "')"});
  EXPECT_EQ(found.outcome(), "200");
  const bool list = Differs(Difference::kTableByName);
  EXPECT_EQ(JsonNames(found.body), list ? "odata.metadata value" : "odata.metadata TableName");
  EXPECT_EQ(list ? found.At("/value") : found.At("/TableName"), list ? "[]" : "\"" + table_ + "\"");
}

TEST_F(TableResponsesTest, ListByName) {
  ASSERT_EQ(Create().status, 201);
  const ParsedResponse all = Send({.path = "Tables"});
  EXPECT_EQ(all.At("/odata.metadata"), "\"" + Base() + "$metadata#Tables\"");
  std::vector<std::string> names;
  for (int i = 0;; ++i) {
    names.push_back(JsonStringAt(all.body, "/value/" + std::to_string(i) + "/TableName"));
    if (names.back().empty()) break;
  }
  names.pop_back();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::count(names.begin(), names.end(), name_), 1);
  const ParsedResponse one =
      Send({.path = "Tables",
            .query = "$filter=" + PercentEncode("TableName ge '" + name_ + "' and TableName le '" +
                                                name_ + "'")});
  EXPECT_EQ(one.At("/value/0/TableName"), "\"" + name_ + "\"");
  EXPECT_EQ(one.At("/value/1"), kAbsent);
}

TEST_F(TableResponsesTest, Delete) {
  Insert("r");
  EXPECT_EQ(Send({.method = "DELETE", .path = "Tables('" + table_ + "')"}).outcome(), "204");
  EXPECT_EQ(Get("r").outcome(), "404 TableNotFound");
  const ParsedResponse again = Send({.method = "DELETE", .path = "Tables('" + table_ + "')"});
  EXPECT_EQ(again.outcome(), "404 ResourceNotFound");
  EXPECT_EQ(again.message, "The specified resource does not exist.");
}

}  // namespace
}  // namespace aztables
