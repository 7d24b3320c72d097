// Checks each verb on an entity and its response: insert, replace and merge with all forms of
// If-Match, delete, nulls, and the order of properties.
#include <string>

#include "raw_test_base.h"

namespace aztables {
namespace {

using WritesTest = RawTest;

// The members after an entity's metadata, keys and Timestamp, in order.
std::string PropertyNames(const ParsedResponse& response) {
  std::string names;
  const std::string all = JsonNames(response.body) + " ";
  for (size_t begin = 0; begin < all.size();) {
    const size_t end = all.find(' ', begin);
    const std::string name = all.substr(begin, end - begin);
    begin = end + 1;
    if (name.starts_with("odata.") || name == "PartitionKey" || name == "RowKey" ||
        name == "Timestamp") {
      continue;
    }
    if (!names.empty()) names += ' ';
    names += name;
  }
  return names;
}

TEST_F(WritesTest, Insert) {
  const ParsedResponse inserted = Insert("r", R"("A":1)");
  EXPECT_EQ(inserted.outcome(), "201");
  EXPECT_EQ(inserted.At("/A"), "1");
  EXPECT_EQ(inserted.At("/RowKey"), "\"r\"");
  EXPECT_EQ(inserted.headers.Get("Preference-Applied"),
            Differs(Difference::kPreferenceApplied) ? "return-content" : "");
  const ParsedResponse read = Get("r");
  EXPECT_EQ(read.status, 200);
  EXPECT_FALSE(read.etag().empty());
  EXPECT_EQ(inserted.etag(), read.etag());
  EXPECT_EQ(inserted.At("/odata.etag"), read.At("/odata.etag"));
  EXPECT_EQ(inserted.headers.Get("Location"), Differs(Difference::kLocation)
                                                  ? ""
                                                  : wire_->settings().endpoint.Origin() +
                                                        wire_->settings().endpoint.path + "/" +
                                                        Address("p", "r"));
}

TEST_F(WritesTest, InsertSaysWhatIsPreferred) {
  const auto insert = [this](const char* row, const char* prefer) {
    return Send(
        {.method = "POST", .path = table_, .body = Body(row), .headers = {{"Prefer", prefer}}});
  };
  const ParsedResponse silent = insert("1", "return-no-content");
  EXPECT_EQ(silent.outcome(), "204");
  EXPECT_EQ(silent.body, "");
  EXPECT_EQ(silent.headers.Get("Preference-Applied"), "return-no-content");
  EXPECT_EQ(silent.etag(), Get("1").etag());
  EXPECT_EQ(silent.headers.Get("Location").empty(), Differs(Difference::kLocation));
  EXPECT_EQ(silent.headers.Get("DataServiceId"), silent.headers.Get("Location"));
  const ParsedResponse echoed = insert("2", "return-content");
  EXPECT_EQ(echoed.outcome(), "201");
  EXPECT_EQ(echoed.headers.Get("Preference-Applied"), "return-content");
  const ParsedResponse again = insert("2", "return-content");
  EXPECT_EQ(again.outcome(), "409 EntityAlreadyExists");
  EXPECT_EQ(again.headers.Get("Preference-Applied"),
            Differs(Difference::kPreferenceApplied) ? "" : "return-content");
}

TEST_F(WritesTest, InsertTwice) {
  EXPECT_EQ(Insert("r", R"("A":1)").status, 201);
  const ParsedResponse again = Insert("r", R"("A":2)");
  EXPECT_EQ(again.outcome(), "409 EntityAlreadyExists");
  EXPECT_EQ(again.message, "The specified entity already exists.");
  EXPECT_EQ(Get("r").At("/A"), "1");
}

TEST_F(WritesTest, WithoutIfMatchEveryWriteInserts) {
  for (const char* verb : {"PUT", "MERGE", "PATCH"}) {
    const ParsedResponse first = Change(verb, verb, R"({"A":1,"B":"x"})");
    EXPECT_EQ(first.outcome(), "204") << verb;
    EXPECT_EQ(first.etag(), Get(verb).etag()) << verb;
    EXPECT_EQ(first.headers.Find("Location"), nullptr) << verb;
    const ParsedResponse second = Change(verb, verb, R"({"A":2})");
    EXPECT_EQ(second.outcome(), "204") << verb;
    EXPECT_NE(second.etag(), first.etag()) << verb;
    EXPECT_EQ(Get(verb).At("/A"), "2") << verb;
    EXPECT_EQ(Get(verb).At("/B"), std::string(verb) == "PUT" ? kAbsent : "\"x\"") << verb;
  }
}

TEST_F(WritesTest, WithAStarTheEntityHasToExist) {
  for (const char* verb : {"PUT", "MERGE", "PATCH"}) {
    const ParsedResponse missing = Change(verb, verb, R"({"A":1})", "*");
    EXPECT_EQ(missing.outcome(), "404 ResourceNotFound") << verb;
    EXPECT_EQ(missing.message, "The specified resource does not exist.");
    EXPECT_EQ(Get(verb).status, 404) << verb;
    ASSERT_EQ(Insert(verb, R"("A":0,"B":"x")").status, 201);
    EXPECT_EQ(Change(verb, verb, R"({"A":1})", "*").outcome(), "204") << verb;
    EXPECT_EQ(Get(verb).At("/A"), "1") << verb;
    EXPECT_EQ(Get(verb).At("/B"), std::string(verb) == "PUT" ? kAbsent : "\"x\"") << verb;
  }
}

TEST_F(WritesTest, WithAnEtagTheEntityHasToBeAsItWas) {
  for (const char* verb : {"PUT", "MERGE", "PATCH"}) {
    EXPECT_EQ(Change(verb, verb, "{}", kStaleEtag).outcome(), "404 ResourceNotFound") << verb;
    const std::string etag = Insert(verb, R"("A":0)").etag();
    const ParsedResponse stale = Change(verb, verb, R"({"A":1})", kStaleEtag);
    EXPECT_EQ(stale.outcome(), "412 UpdateConditionNotSatisfied") << verb;
    EXPECT_EQ(stale.message, "The update condition specified in the request was not satisfied.");
    const ParsedResponse changed = Change(verb, verb, R"({"A":2})", etag);
    EXPECT_EQ(changed.outcome(), "204") << verb;
    EXPECT_EQ(Change(verb, verb, R"({"A":3})", etag).status, 412) << verb << ": the first etag";
    EXPECT_EQ(Change(verb, verb, R"({"A":4})", changed.etag()).outcome(), "204") << verb;
    EXPECT_EQ(Get(verb).At("/A"), "4") << verb;
    const bool other = Differs(Difference::kMalformedEtag) && std::string(verb) != "PUT";
    EXPECT_EQ(Change(verb, verb, "{}", "abc").outcome(),
              other ? "400 InvalidOperation" : "400 InvalidInput")
        << verb;
    EXPECT_EQ(Change(verb, verb, "{}", "W/\"wrong\"").outcome(), "412 UpdateConditionNotSatisfied")
        << verb;
  }
}

TEST_F(WritesTest, Delete) {
  EXPECT_EQ(Change("DELETE", "r", "", "*").outcome(), "404 ResourceNotFound");
  std::string etag = Insert("r").etag();
  EXPECT_EQ(Change("DELETE", "r", "").status, 400) << "without If-Match";
  EXPECT_EQ(Change("DELETE", "r", "", kStaleEtag).outcome(), "412 UpdateConditionNotSatisfied");
  EXPECT_EQ(Change("DELETE", "r", "", "W/\"wrong\"").outcome(), "412 UpdateConditionNotSatisfied");
  EXPECT_EQ(Change("DELETE", "r", "", "w" + etag.substr(1)).outcome(),
            "412 UpdateConditionNotSatisfied");
  EXPECT_EQ(Get("r").status, 200);
  const ParsedResponse deleted = Change("DELETE", "r", "", etag);
  EXPECT_EQ(deleted.outcome(), "204");
  EXPECT_EQ(deleted.etag(), "");
  EXPECT_EQ(Get("r").outcome(), "404 ResourceNotFound");
  EXPECT_EQ(Insert("r").status, 201);
  EXPECT_EQ(Change("DELETE", "r", "", "*").outcome(), "204");
}

TEST_F(WritesTest, NullIsNoValue) {
  EXPECT_EQ(Insert("r", R"("A":null,"B":1,"C":2)").At("/A"), kAbsent);
  EXPECT_EQ(Get("r").At("/A"), kAbsent);
  EXPECT_EQ(Change("MERGE", "r", R"({"B":null,"C":3})", "*").status, 204);
  EXPECT_EQ(Get("r").At("/B"), "1") << "a merge leaves it";
  EXPECT_EQ(Get("r").At("/C"), "3");
  EXPECT_EQ(Change("PUT", "r", R"({"B":null,"C":4})", "*").status, 204);
  EXPECT_EQ(Get("r").At("/B"), kAbsent) << "a replace drops it";
  EXPECT_EQ(Change("MERGE", "new", R"({"A":null,"B":1})").status, 204);
  EXPECT_EQ(Get("new").At("/A"), kAbsent);
  EXPECT_EQ(Insert("k", R"("ETag":null,"Timestamp":null)").status, 201);
}

TEST_F(WritesTest, OrderOfProperties) {
  Insert("r", R"("b":1,"age":1,"Birthday":1,"a":1)");
  EXPECT_EQ(PropertyNames(Get("r")), "b age Birthday a") << "that of the insert";
  const bool sorted = !Differs(Difference::kOrderAfterUpdate);
  Change("MERGE", "r", R"({"B":2,"a":2})", "*");
  EXPECT_EQ(PropertyNames(Get("r")), sorted ? "B Birthday a age b" : "b age Birthday a B");
  Change("PUT", "r", R"({"b":1,"age":1,"Birthday":1,"a":1})", "*");
  EXPECT_EQ(PropertyNames(Get("r")), sorted ? "Birthday a age b" : "b age Birthday a");
}

TEST_F(WritesTest, AMergeMayChangeAType) {
  Insert("r", R"("A":1)");
  EXPECT_EQ(Change("MERGE", "r", R"({"A":"text"})", "*").status, 204);
  EXPECT_EQ(Get("r").At("/A"), "\"text\"");
}

TEST_F(WritesTest, KeysInTheBody) {
  EXPECT_EQ(Send({.method = "POST", .path = table_, .body = R"({"RowKey":"r"})"}).outcome(),
            "400 PropertiesNeedValue");
  EXPECT_EQ(Send({.method = "POST", .path = table_, .body = R"({"A":1})"}).outcome(),
            "400 PropertiesNeedValue");
  EXPECT_EQ(Change("PUT", "r", Body("r", R"("A":1)")).outcome(), "204") << "they may be repeated";
  EXPECT_EQ(Change("MERGE", "r", Body("r", R"("A":2)"), "*").outcome(), "204");
  EXPECT_EQ(Get("r").At("/A"), "2");
}

TEST_F(WritesTest, EmptyKeys) {
  EXPECT_EQ(Insert("", R"("A":1)", "").outcome(), "201");
  const std::string empty = Address("", "");
  EXPECT_EQ(Send({.path = empty}).At("/A"), "1");
  EXPECT_EQ(Send({.method = "MERGE", .path = empty, .body = R"({"A":2})"}).outcome(), "204");
  EXPECT_EQ(Send({.method = "PUT", .path = Address("p", ""), .body = R"({"A":3})"}).outcome(),
            "204");
  EXPECT_EQ(Rows("RowKey eq ''"), " ");
  EXPECT_EQ(Send({.method = "DELETE", .path = empty, .headers = {{"If-Match", "*"}}}).outcome(),
            "204");
}

TEST_F(WritesTest, TypesOfKeysMayBeSaid) {
  EXPECT_EQ(Insert("r", R"("PartitionKey@odata.type":"Edm.String","A@odata.type":"Edm.String",)"
                        R"("A":"x","B@odata.type":"Edm.Int32","B":1)")
                .outcome(),
            "201");
  EXPECT_EQ(PropertyNames(Get("r")), "A B") << "they do not come back";
}

TEST_F(WritesTest, LocationOfOddKeys) {
  const ParsedResponse inserted = Insert(R"(:@+,$=& \"')");
  EXPECT_EQ(inserted.outcome(), "201") << inserted.body;
}

TEST_F(WritesTest, WhatTheServiceSetsIsNotTakenFromTheBody) {
  const ParsedResponse inserted =
      Insert("r", R"("Timestamp":"2001-02-03T04:05:06Z","odata.etag":"W/\"x\"")");
  EXPECT_EQ(inserted.status, 201) << inserted.body;
  EXPECT_EQ(inserted.At("/Timestamp").find("2001"), std::string::npos);
  EXPECT_EQ(inserted.At("/odata.etag").find("W/\\\"x"), std::string::npos);
}

TEST_F(WritesTest, AMissingTable) {
  table_ = FreshName();
  for (const ParsedResponse& response :
       {Insert("r"), Change("PUT", "r", "{}"), Change("MERGE", "r", "{}", "*"),
        Change("DELETE", "r", "", "*"), Get("r"), List("")}) {
    EXPECT_EQ(response.outcome(), "404 TableNotFound");
    EXPECT_EQ(response.message, "The table specified does not exist.");
  }
}

TEST_F(WritesTest, BodiesThatAreNone) {
  for (const char* body : {"", "x", "[]", "{", R"({"PartitionKey":"p","RowKey":"r","A":{"B":1}})",
                           R"({"PartitionKey":"p","RowKey":"r","A":[1]})",
                           R"({"PartitionKey":"p","RowKey":"r","A":tru})"}) {
    EXPECT_EQ(Send({.method = "POST", .path = table_, .body = body}).status, 400) << body;
  }
  EXPECT_EQ(Rows(""), "");
}

}  // namespace
}  // namespace aztables
