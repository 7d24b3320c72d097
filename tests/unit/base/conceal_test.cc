// Conceal: a signature is found behind every encoding that an answer may give it, and nothing else
// is changed.
#include "aztables/base/conceal.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

constexpr char kSignature[] = "ab%2Bcd%2Fef%3D";  // ab+cd/ef=

TEST(ConcealTest, EveryEncoding) {
  for (const std::string form :
       {"ab+cd/ef=", "ab%2Bcd%2Fef%3D", "ab%2bcd%2fef%3d", "ab%252Bcd%252Fef%253D",
        "ab%25252bcd%2525252Fef%3D", "ab\\u002Bcd\\/ef\\u003d", "ab\\u002bcd\\u002Fef=",
        "ab&#43;cd&#47;ef&#61;", "ab&#x2B;cd&#x2f;ef=", "ab&#x002B;cd/ef&#x3D;",
        "ab&amp;#43;cd/ef&amp;#61;", "ab\\u00252Bcd%2Fef%3D", "%61b%2Bcd%2Fe%66%3D",
        "\\u0061\\u0062+cd/ef=", "ab%5Cu002Bcd/ef%3D"}) {
    EXPECT_EQ(Conceal("sig=" + form + "&x", kSignature), "sig=...&x") << form;
    EXPECT_EQ(Conceal(form, kSignature), "...") << form;
    EXPECT_EQ(Conceal(form + " %41 " + form, kSignature), "... %41 ...") << form;
  }
}

TEST(ConcealTest, NothingElse) {
  for (const char* text :
       {"", "ab+cd/ef", "b+cd/ef=", "AB+CD/EF=", "100% of \\u0041 & &amp; %zz %4", "%", "\\", "&",
        "&#;", "&#x;", "\\u00", "&#9999999999;"}) {
    EXPECT_EQ(Conceal(text, kSignature), text);
  }
  EXPECT_EQ(Conceal("sig=short", "short"), "sig=short");
  EXPECT_EQ(Conceal("anything", ""), "anything");
}

TEST(ConcealTest, SignatureOfSas) {
  EXPECT_EQ(SignatureOfSas("sv=1&sig=abc%3D&sp=r"), "abc%3D");
  EXPECT_EQ(SignatureOfSas("sig=abc"), "abc");
  EXPECT_EQ(SignatureOfSas("xsig=abc&sv=1"), "");
  EXPECT_EQ(SignatureOfSas(""), "");
}

}  // namespace
}  // namespace aztables
