// Checks table SAS with a stored access policy: the fields that it supplies, and conflicts.
#include <gtest/gtest.h>

#include "access_request.h"
#include "service/auth/access.h"

namespace aztables {
namespace {

constexpr const char* kStart = "2026-11-01T00:00:00.0000000Z";
constexpr const char* kExpiry = "2026-11-30T00:00:00.0000000Z";

// A SAS that names the policy "p" of the table "t".
std::string Send(const char* permission, const char* start, const char* expiry,
                 std::optional<StoredPolicy> policy, Access* granted = nullptr) {
  AccessRequest sent;
  sent.Option("sv", "2019-02-02");
  sent.Option("tn", "T");
  sent.Option("si", "p");
  sent.Option("sp", permission);
  sent.Option("st", start);
  sent.Option("se", expiry);
  sent.Sign(std::string(permission) + "\n" + start + "\n" + expiry +
            "\n/table/devstoreaccount1/t\np\n\n\n2019-02-02\n\n\n\n");
  sent.input.policy = [&policy](std::string_view table, std::string_view id) {
    EXPECT_EQ(table, "t");
    EXPECT_EQ(id, "p");
    return policy;
  };
  const auto access = sent.Send();
  if (access.ok() && granted != nullptr) *granted = *access;
  return access.ok() ? "OK" : access.status().failure().code;
}

TEST(SasPolicyTest, FillsInWhatTheSasLacks) {
  Access access;
  EXPECT_EQ(Send("", "", "", StoredPolicy{"p", kStart, kExpiry, "ra"}, &access), "OK");
  EXPECT_EQ(access.permissions, "ra");
  EXPECT_EQ(access.table, "t");
  EXPECT_EQ(Send("d", "", kExpiry, StoredPolicy{"p", kStart, "", ""}, &access), "OK");
  EXPECT_EQ(access.permissions, "d");
  EXPECT_EQ(Send("d", kStart, kExpiry, StoredPolicy{"p", "", "", ""}), "OK");
}

TEST(SasPolicyTest, PartsOfBothAreRefused) {
  const std::string bad = "AuthenticationFailed";
  EXPECT_EQ(Send("r", "", "", StoredPolicy{"p", "", kExpiry, "r"}), bad);
  EXPECT_EQ(Send("r", kStart, "", StoredPolicy{"p", kStart, kExpiry, ""}), bad);
  EXPECT_EQ(Send("r", "", kExpiry, StoredPolicy{"p", "", kExpiry, ""}), bad);
}

TEST(SasPolicyTest, MissingParts) {
  const std::string bad = "AuthenticationFailed";
  EXPECT_EQ(Send("r", "", kExpiry, std::nullopt), bad) << "no such policy, or revoked";
  EXPECT_EQ(Send("r", "", "", StoredPolicy{"p", "", "", ""}), bad) << "no expiry";
  EXPECT_EQ(Send("", "", kExpiry, StoredPolicy{"p", "", "", ""}), bad) << "no permission";
}

TEST(SasPolicyTest, TimesOfThePolicyCount) {
  const std::string bad = "AuthenticationFailed";
  const char* later = "2026-11-02T10:00:00.0000001Z";
  const char* now = "2026-11-02T10:00:00.0000000Z";
  EXPECT_EQ(Send("r", "", "", StoredPolicy{"p", now, later, ""}), "OK");
  EXPECT_EQ(Send("r", "", "", StoredPolicy{"p", later, kExpiry, ""}), bad);
  EXPECT_EQ(Send("r", "", "", StoredPolicy{"p", "", now, ""}), bad);
}

TEST(SasPolicyTest, WithoutALookupThereIsNoPolicy) {
  AccessRequest sent;
  sent.Option("sv", "2019-02-02");
  sent.Option("tn", "t");
  sent.Option("si", "p");
  sent.Option("sp", "r");
  sent.Option("se", kExpiry);
  sent.Sign("r\n\n" + std::string(kExpiry) +
            "\n/table/devstoreaccount1/t\np\n\n\n2019-02-02\n\n\n\n");
  EXPECT_EQ(sent.Outcome(), "AuthenticationFailed");
}

TEST(SasPolicyTest, IsAskedForOnlyBehindAGoodSignature) {
  AccessRequest sent;
  sent.Option("sv", "2019-02-02");
  sent.Option("tn", "t");
  sent.Option("si", "p");
  sent.Option("sig", "bad");
  sent.input.policy = [](std::string_view, std::string_view) -> std::optional<StoredPolicy> {
    ADD_FAILURE() << "asked";
    return std::nullopt;
  };
  EXPECT_EQ(sent.Outcome(), "AuthenticationFailed");
}

}  // namespace
}  // namespace aztables
