// Members of JSON objects (json_object.h).
#include "odata/json_object.h"

#include <gtest/gtest.h>

namespace aztables {
namespace {

TEST(JsonObjectTest, ScalarMembers) {
  const auto object = JsonObject::Read(
      R"( {"s":"a\n\u00e9","i":3599,"n":-1.5e3,"t":true,"list":[1,"x",{}],"o":{"s":"b"},"null":null,"":"e"} )");
  ASSERT_TRUE(object.ok()) << object.status().message();
  EXPECT_EQ(object->Get("s"), "a\n\u00e9");
  EXPECT_EQ(object->Get("i"), "3599");
  EXPECT_EQ(object->Get("n"), "-1.5e3");
  EXPECT_EQ(object->Get("t"), "true");
  EXPECT_EQ(object->Get(""), "e");
  for (const char* absent : {"list", "o", "null", "x"}) EXPECT_EQ(object->Get(absent), "");
}

TEST(JsonObjectTest, WhatIsNone) {
  for (const char* text : {"", "[]", "\"a\"", "{", "{\"a\":}", "{\"a\":1} x", "{\"a\":1,}",
                           "<html>", "{\"a\":[1,}", "\xff{}"}) {
    EXPECT_FALSE(JsonObject::Read(text).ok()) << text;
  }
}

}  // namespace
}  // namespace aztables
