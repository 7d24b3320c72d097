// Checks the XML tree: documents that it reads, and cheap refusal of malicious ones.
#include "service/xml/xml_tree.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/encoding.h"
#include "support/rounds.h"
#include "support/texts.h"

namespace aztables {
namespace {

using support::Repeat;

// <name|text|children>
std::string Show(const XmlElement& element) {
  std::string out = "<" + element.name + "|" + element.text + "|";
  for (const XmlElement& child : element.children) out += Show(child);
  return out + ">";
}

std::string Parse(std::string_view document) {
  const auto root = ParseXml(document);
  return root ? Show(*root) : "refused";
}

TEST(XmlTreeTest, Documents) {
  EXPECT_EQ(Parse("<a/>"), "<a||>");
  EXPECT_EQ(Parse("<a>x<b>y</b>z<b/></a>"), "<a|xz|<b|y|><b||>>");
  EXPECT_EQ(Parse("\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"utf-8\"?><a>x</a>\r\n"), "<a|x|>");
  EXPECT_EQ(Parse("<?xml version='1.0' encoding='iso-8859-1'?><a>\xC3\xA9</a>"), "<a|\xC3\xA9|>");
  EXPECT_EQ(Parse("<a b='1' xmlns='urn:x'><!-- c --><?d e?><![CDATA[<&>]]></a>"), "<a|<&>|>");
  EXPECT_EQ(Parse("<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;</a>"),
            "<a|<>&\"'A\xF0\x9F\x98\x80|>");
  EXPECT_EQ(Parse("<m:a/>"), "<m:a||>");
}

TEST(XmlTreeTest, NotWellFormed) {
  for (const char* document : {"",
                               " ",
                               "x",
                               "<",
                               "<a",
                               "<a>",
                               "<a><b></a></b>",
                               "<a/><b/>",
                               "<a/>x",
                               "<a b/>",
                               "<a>&x;</a>",
                               "<a>&#0;</a>",
                               "<a>\x01</a>",
                               "<a>\xFF</a>",
                               "<a>\xC3</a>",
                               "<a>\xED\xA0\x80</a>",
                               "{\"a\":1}",
                               "<?xml version='1.0' encoding='none-such'?>",
                               "\xEF\xBB\xBF",
                               "<a>]]></a>",
                               "<1/>"}) {
    EXPECT_EQ(Parse(document), "refused") << document;
  }
  EXPECT_EQ(Parse(std::string_view("<a>\0</a>", 8)), "refused");
  EXPECT_EQ(Parse(std::string_view("\xFE\xFF\0<\0a\0/\0>", 10)), "refused") << "UTF-16";
}

TEST(XmlTreeTest, EveryBeginningOfADocumentIsNone) {
  const std::string whole =
      std::string(kXmlBeginning) + "<a><b c=\"d\">e&amp;</b><!-- f --><g><![CDATA[h]]></g></a>";
  ASSERT_NE(Parse(whole), "refused");
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(Parse(whole.substr(0, size)), "refused") << size;
  }
}

// Any resulting tree is within the limits.
TEST(XmlTreeTest, DamagedDocuments) {
  const std::string whole =
      std::string(kXmlBeginning) + "<a><b c=\"d\">e&amp;</b><!-- f --><g><![CDATA[h]]></g></a>";
  constexpr std::string_view kBytes = "<>/&;!?[]\"'ab- \x80\xEF\xFF";
  std::mt19937 random(8);
  for (int i = 0; i < support::Rounds(20'000); ++i) {
    std::string damaged = whole;
    for (size_t n = random() % 6; n > 0; --n) {
      damaged[random() % damaged.size()] = kBytes[random() % kBytes.size()];
    }
    const auto root = ParseXml(damaged);
    ASSERT_TRUE(!root || IsValidUtf8(Show(*root)));
  }
}

TEST(XmlTreeTest, NoDoctype) {
  EXPECT_EQ(Parse("<!DOCTYPE a><a/>"), "refused");
  EXPECT_EQ(Parse("<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>"), "refused");
  EXPECT_EQ(Parse("<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>"), "refused");
  std::string laughs = "<!DOCTYPE a [<!ENTITY l0 \"lol\">";
  for (int i = 1; i < 10; ++i) {
    laughs += "<!ENTITY l" + std::to_string(i) + " \"" +
              Repeat("&l" + std::to_string(i - 1) + ";", 10) + "\">";
  }
  EXPECT_EQ(Parse(laughs + "]><a>&l9;</a>"), "refused");
}

TEST(XmlTreeTest, Depth) {
  const auto nested = [](size_t depth) { return Repeat("<a>", depth) + Repeat("</a>", depth); };
  EXPECT_NE(Parse(nested(kMaxXmlDepth)), "refused");
  EXPECT_EQ(Parse(nested(kMaxXmlDepth + 1)), "refused");
  EXPECT_EQ(Parse(nested(8000)), "refused");
  EXPECT_EQ(Parse(Repeat("<a>", kMaxXmlDepth) + "<a/>" + Repeat("</a>", kMaxXmlDepth)), "refused");
}

TEST(XmlTreeTest, Size) {
  const auto filled = [](size_t size) { return "<a>" + std::string(size - 7, 'x') + "</a>"; };
  EXPECT_NE(Parse(filled(kMaxXmlSize)), "refused");
  EXPECT_EQ(Parse(filled(kMaxXmlSize + 1)), "refused");
  EXPECT_EQ(Parse(std::string(100'000'000, '<')), "refused");
  EXPECT_NE(Parse("<a>" + Repeat("<b/>", 16'000) + "</a>"), "refused");
}

TEST(XmlTreeTest, Children) {
  const auto root = ParseXml("<a><b> x\n</b><c/><d><e/></d></a>");
  ASSERT_TRUE(root);
  EXPECT_EQ(root->TextOf("b"), "x");
  EXPECT_EQ(root->TextOf("c"), "");
  EXPECT_EQ(root->TextOf("z"), "");
  EXPECT_EQ(root->Find("z"), nullptr);
  EXPECT_EQ(root->Find("c"), &root->children[1]);
  EXPECT_TRUE(root->HasOnly({"c", "b"}, {"d"}));
  EXPECT_TRUE(root->HasOnly({"c", "b", "z"}, {"d"}));
  EXPECT_FALSE(root->HasOnly({"b", "c", "d"})) << "d is no leaf";
  EXPECT_FALSE(root->HasOnly({"b"}, {"d"})) << "c is unknown";
  EXPECT_FALSE(ParseXml("<a><b/><c/><b/></a>")->HasOnly({"b", "c"})) << "b stands twice";
}

TEST(AppendXmlTest, WhatIsWrittenIsReadBack) {
  std::string out;
  AppendXml(out, "a", "");
  EXPECT_EQ(out, "<a />");
  out.clear();
  AppendXml(out, "a", "1<2 && 3>2]]>\r\n\"'");
  EXPECT_EQ(out, "<a>1&lt;2 &amp;&amp; 3&gt;2]]&gt;&#xD;\n\"'</a>");
  EXPECT_EQ(ParseXml(out)->text, "1<2 && 3>2]]>\r\n\"'");
}

}  // namespace
}  // namespace aztables
