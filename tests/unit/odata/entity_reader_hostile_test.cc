// Reads damaged texts: EntityReader never reads after the end. Its result is the same whether it
// reads all properties, reads one, or sets one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "odata/entity_reader.h"
#include "support/rounds.h"

namespace aztables {
namespace {

constexpr std::string_view kHostileTexts[] = {
    R"({"S":"text","I":-5,"L@odata.type":"Edm.Int64","L":"9007199254740993","D":4.50,"N":null})",
    R"({"A@odata.type":"Edm.Double","A":"NaN","B":true,"X@odata.type":"Edm.Binary","X":"AAEC"})",
    R"({ "S" : "a\"\\\u00e9" , "\u0049" : 7 , "odata.etag" : "e", "B":false,"E":"" })",
    R"({"T@odata.type":"Edm.DateTime","T":"2026-11-02T10:00:00.5Z","A":1e5,"B":-0.0,"S":"𝄞"})",
};

bool Same(const Value& a, const Value& b) {
  return a == b || (a.type == b.type && std::isnan(a.real) && std::isnan(b.real));
}

TEST(EntityReaderHostileTest, DamagedTexts) {
  constexpr std::string_view kBytes = "{}[]\",:\\u0eE+-.@ntf \n\x01\xFF\xC3SIL9";
  std::mt19937 random(21);
  EntityReader reader;
  size_t taken = 0;
  for (int i = 0; i < support::Rounds(100'000); ++i) {
    std::string text(kHostileTexts[random() % std::size(kHostileTexts)]);
    for (size_t n = random() % 3 + 1; n > 0; --n) {
      const size_t at = random() % text.size();
      const char byte = kBytes[random() % kBytes.size()];
      switch (random() % 4) {
        case 0:
          text.erase(at, random() % 4);
          break;
        case 1:
          text.insert(at, 1, byte);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 30));
          break;
        default:
          text[at] = byte;
      }
      if (text.empty()) text = "{";
    }
    text.shrink_to_fit();
    const auto all = reader.All(text);
    const auto set = reader.Set(text, {"I", Value::Int64(7)});
    const auto renamed = reader.Rename(text, "S", "Renamed");
    for (const char* name : {"S", "I", "L", "A"}) {
      const auto one = reader.Get(text, name);
      if (!all.ok()) continue;
      ASSERT_TRUE(one.ok()) << text << one.status().message();
      const auto place =
          std::find_if(all->begin(), all->end(), [&](const Property& p) { return p.name == name; });
      ASSERT_TRUE(Same(*one, place == all->end() ? Value() : place->value)) << text;
    }
    if (!all.ok()) continue;
    ++taken;
    ASSERT_TRUE(renamed.ok()) << text << renamed.status().message();
    ASSERT_TRUE(Same(*reader.Get(*renamed, "Renamed"), *reader.Get(text, "S"))) << text;
    ASSERT_EQ(reader.All(*renamed)->size(), all->size()) << text << '\n' << *renamed;
    ASSERT_TRUE(set.ok()) << text << set.status().message();
    const auto again = reader.All(*set);
    ASSERT_TRUE(again.ok()) << text << '\n' << *set << again.status().message();
    size_t next = 0;
    for (const Property& property : *again) {
      if (next < all->size() && (*all)[next].name == property.name) {
        ASSERT_TRUE(property.name == "I" ? property.value == Value::Int64(7)
                                         : Same(property.value, (*all)[next].value));
        ++next;
      } else {
        ASSERT_EQ(property.name, "I") << text;
      }
    }
    ASSERT_EQ(next, all->size()) << text << '\n' << *set;
  }
  EXPECT_GT(taken, support::Rounds(10'000U));
  EXPECT_LT(taken, support::Rounds(90'000U));
}

TEST(EntityReaderHostileTest, DeepAndLargeTexts) {
  EntityReader reader;
  for (const char* open : {"[", "{\"A\":"}) {
    std::string nested;
    for (int i = 0; i < 100'000; ++i) nested += open;
    EXPECT_FALSE(reader.Get("{\"A\":" + nested, "A").ok());
    EXPECT_FALSE(reader.All("{\"A\":" + nested).ok());
    EXPECT_FALSE(reader.Set("{\"A\":" + nested, {"A", Value()}).ok());
  }
  std::string wide = "{";
  for (int i = 0; i < 100'000; ++i)
    wide += "\"P" + std::to_string(i) + "\":" + std::to_string(i) + ",";
  wide += "\"Last\":1}";
  EXPECT_EQ(reader.Get(wide, "Last")->integer, 1);
  EXPECT_EQ(reader.All(wide)->size(), 100'001U);
}

}  // namespace
}  // namespace aztables
