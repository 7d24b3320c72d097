// Checks what a SAS itself shows of the reason for a refusal.
#include "table/sas_terms.h"

#include <gtest/gtest.h>

namespace aztables {
namespace {

const Ticks kNow = *ParseDateTime("2026-11-20T10:00:00Z");

std::string Excluded(std::string_view sas, std::string_view code = "AuthenticationFailed",
                     std::string_view table = "Orders") {
  return WhatTermsExclude(ReadSasTerms(sas), table, code, kNow);
}

TEST(SasTermsTest, Times) {
  EXPECT_EQ(Excluded("sv=2019-02-02&se=2026-11-20T09%3A59Z&sp=r&sig=x"),
            "expired at 2026-11-20T09:59Z (se=); make a new one");
  EXPECT_EQ(Excluded("se=2026-11-20"), "expired at 2026-11-20 (se=); make a new one");
  EXPECT_EQ(Excluded("st=2026-11-21T00:00:00Z&se=2026-12-01"),
            "is valid from 2026-11-21T00:00:00Z (st=) on; if that has passed, set this machine's "
            "clock");
  EXPECT_EQ(Excluded("st=2026-11-20&se=2026-11-21&sp=r"), "");
  EXPECT_EQ(Excluded("se=tomorrow"), "");
}

TEST(SasTermsTest, TheTable) {
  EXPECT_EQ(Excluded("tn=customers&sp=r"), "is for the table customers alone (tn=)");
  EXPECT_EQ(Excluded("tn=orders&sp=r"), "") << "the service ignores case";
  EXPECT_EQ(Excluded("tn=customers", "AuthenticationFailed", ""), "") << "a list of tables";
}

TEST(SasTermsTest, Rights) {
  EXPECT_EQ(Excluded("tn=Orders&sp=r", "AuthorizationPermissionMismatch"),
            "permits sp=r, which is not enough: r reads, a inserts, u updates, d deletes");
  EXPECT_EQ(
      Excluded("ss=t&srt=o&sp=rl", "AuthorizationPermissionMismatch"),
      "permits sp=rl, which is not enough: r reads, a inserts, u updates, d deletes, w updates, "
      "l lists tables, c creates them");
  EXPECT_EQ(Excluded("ss=t&srt=o&sp=rl", "AuthorizationResourceTypeMismatch"),
            "is for srt=o; entities need o, and tables c");
  EXPECT_EQ(Excluded("ss=b&srt=o", "AuthorizationServiceMismatch"), "is for ss=b; tables need t");
  EXPECT_EQ(Excluded("sip=10.0.0.1", "AuthorizationSourceIPMismatch"),
            "is for the addresses sip=10.0.0.1 alone");
  EXPECT_EQ(Excluded("spr=https", "AuthorizationProtocolMismatch"),
            "is for the protocol spr=https");
}

TEST(SasTermsTest, Keys) {
  EXPECT_EQ(
      Excluded("tn=Orders&spk=a%20b&srk=1&epk=c&erk=9&sig=secret", "AuthorizationFailure"),
      "is limited to a range of keys (spk=a b, srk=1, epk=c, erk=9): ask for keys in it alone");
  EXPECT_EQ(Excluded("tn=Orders&spk=a&sig=wrong"), "") << "a wrong signature is another reason";
}

}  // namespace
}  // namespace aztables
