// Checks that a text is split into tokens as in SQLite: blanks, comments, parameters, quotes.
#include "vtab/sqlite/sql_tokens.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

// The tokens in order: words unchanged, <quoted names>, {others}.
std::string Read(std::string_view sql) {
  std::string text;
  SqlTokens tokens(sql);
  for (SqlToken token = tokens.Next(); !token.IsEnd(); token = tokens.Next()) {
    if (!text.empty()) text += ' ';
    switch (token.kind) {
      case SqlToken::Kind::kWord:
        text += token.text;
        break;
      case SqlToken::Kind::kQuoted:
        text += "<" + token.text + ">";
        break;
      default:
        text += "{" + token.text + "}";
    }
  }
  return text;
}

TEST(SqlTokensTest, AVerticalTabOnlyGoesOnWithBlanks) {
  for (const char* blanks :
       {" \v", "\t\v", "\n\v", "\f\v", "\r\v", " \v\v \v", "--x\n\v", "/**/ \v"}) {
    EXPECT_EQ(Read("DELETE" + std::string(blanks) + "FROM t"), "delete from t");
    EXPECT_EQ(Read(std::string(blanks)), "");
  }
  for (const char* text : {"\v", "/**/\v", "/**/\xEF\xBB\xBF\v", "/**/\v "}) {
    EXPECT_EQ(Read("DELETE" + std::string(text) + "FROM t"), "delete {\v} from t");
  }
  EXPECT_EQ(Read("--x\v\ny"), "y");
  EXPECT_EQ(Read("'\v' \"\v\""), "{\v''} <\v>");
}

TEST(SqlTokensTest, Comments) {
  EXPECT_EQ(Read("a--b\nc"), "a c");
  EXPECT_EQ(Read("a--b"), "a");
  EXPECT_EQ(Read("a/*b*/c/*d"), "a c");
  EXPECT_EQ(Read("a/*/b*/c"), "a c");
  EXPECT_EQ(Read("a/**/c"), "a c");
  EXPECT_EQ(Read("a/*"), "a {/} {*}");
  EXPECT_EQ(Read("a - - b"), "a {-} {-} b");
  EXPECT_EQ(Read("\xEF\xBB\xBF"
                 "a"),
            "a");
}

TEST(SqlTokensTest, Parameters) {
  EXPECT_EQ(Read("?1from t"), "{?1} from t");
  EXPECT_EQ(Read("? ?22,?"), "{?} {?22} {,} {?}");
  EXPECT_EQ(Read(":a @b $c$d #1"), "{:a} {@b} {$c$d} {#1}");
  EXPECT_EQ(Read("$a::b::c(f(x) y"), "{$a::b::c(f(x)} y");
  EXPECT_EQ(Read(":a(f (x)"), "{:a(f} {(} x {)}");
  EXPECT_EQ(Read("$a(f"), "{$a(f}");
  EXPECT_EQ(Read("$(f"), "{$} {(} f");
  EXPECT_EQ(Read("a:b"), "a {:b}");
}

TEST(SqlTokensTest, Quotes) {
  EXPECT_EQ(Read("\"a\"\"b\" `c` [d\"]"), "<a\"b> <c> <d\">");
  EXPECT_EQ(Read("'a''b'x"), "{a'b''} x");
  EXPECT_EQ(Read("x'00' X'01'y xx'2' x 'z'"), "{00''} {01''} y xx {2''} x {z''}");
}

}  // namespace
}  // namespace aztables
