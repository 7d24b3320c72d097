// Checks authentication, and the permissions that every operation requires of each credential.
#include "service/auth/access.h"

#include <gtest/gtest.h>

#include <string>

#include "access_request.h"
#include "base/encoding.h"

namespace aztables {
namespace {

TEST(AuthenticateTest, WithoutCredentials) {
  AccessRequest sent;
  EXPECT_EQ(sent.Outcome(), "AuthenticationFailed");
  sent.request.headers.Set("x-ms-version", "2019-07-07");
  EXPECT_EQ(sent.Outcome(), "AuthenticationFailed");
  for (const char* version : {"2020-12-06", "2026-06-06"}) {
    sent.request.headers.Set("x-ms-version", version);
    const Status status = sent.Send().status();
    EXPECT_EQ(status.failure().code, "InvalidAuthenticationInfo");
    EXPECT_EQ(status.failure().http_status, 401);
    EXPECT_EQ(status.code(), Code::kAuth);
  }
}

// A token with these claims, beside the usual ones.
std::string TokenWith(const std::string& claims) {
  std::string text = Base64Encode("{" + claims + "}");
  while (text.ends_with('=')) text.pop_back();
  return "Bearer eyJhbGciOiJub25lIn0." + text + ".";
}

TEST(AuthenticateTest, Tokens) {
  const std::string issuer = R"("iss":"https://sts.windows.net/2/",)";
  const std::string audience = R"("aud":"https://storage.azure.com",)";
  const int64_t now_s = AccessRequest().input.now_ms / 1000;
  const auto times = [now_s](int from, int to) {
    return "\"nbf\":" + std::to_string(now_s + from) + ",\"exp\":" + std::to_string(now_s + to);
  };
  const struct {
    std::string claims, version, outcome;
  } kCases[] = {
      {issuer + audience + times(0, 1), "2020-12-06", "OK"},
      {issuer + audience + times(-9, 9), "2017-11-09", "OK"},
      {issuer + audience + times(-9, 9), "2017-07-29", "AuthenticationFailed"},
      {issuer + R"("aud":"https://devstoreaccount1.table.core.windows.net/",)" + times(0, 1),
       "2020-12-06", "OK"},
      {issuer + R"("aud":"https://other",)" + times(0, 1), "2020-12-06",
       "InvalidAuthenticationInfo"},
      {issuer + R"("aud":"https://other",)" + times(0, 1), "2019-02-02", "AuthenticationFailed"},
      {R"("iss":"https://elsewhere/",)" + audience + times(0, 1), "2020-12-06",
       "InvalidAuthenticationInfo"},
      {issuer + audience + times(-9, 0), "2020-12-06", "InvalidAuthenticationInfo"},
      {issuer + audience + times(1, 9), "2020-12-06", "InvalidAuthenticationInfo"},
      {issuer + audience + R"("nbf":0)", "2020-12-06", "InvalidAuthenticationInfo"},
      {"", "2020-12-06", "InvalidAuthenticationInfo"},
  };
  for (const auto& [claims, version, outcome] : kCases) {
    AccessRequest sent;
    sent.input.tokens = true;
    sent.request.headers.Set("x-ms-version", version);
    sent.request.headers.Set("Authorization", TokenWith(claims));
    EXPECT_EQ(sent.Outcome(), outcome) << claims << " " << version;
    sent.input.tokens = false;
    EXPECT_EQ(sent.Outcome(), "InvalidAuthenticationInfo");
  }
}

TEST(AuthenticateTest, WithoutTokensEachIsRefused) {
  AccessRequest sent;
  for (const char* authorization : {"Bearer abc", "bearer abc", "Bearer", "Bearer "}) {
    sent.request.headers.Set("Authorization", authorization);
    EXPECT_EQ(sent.Outcome(), "InvalidAuthenticationInfo") << authorization;
  }
  sent.request.headers.Set("Authorization", "Bearers abc");
  EXPECT_EQ(sent.Outcome(), "AuthenticationFailed");
}

TEST(AuthenticateTest, UnknownAccounts) {
  AccessRequest sent;
  sent.request.headers.Set("x-ms-version", "2020-12-06");
  for (const char* account : {"", "nobody", "DEVSTOREACCOUNT1", "empty"}) {
    sent.input.account = account;
    sent.request.headers.Set("x-ms-date", kTestDate);
    sent.request.headers.Set("Authorization", std::string("SharedKeyLite ") + account + ":");
    EXPECT_EQ(sent.Outcome(), "AuthenticationFailed") << account;
  }
}

TEST(AuthenticateTest, TheMessageIsThatOfTheService) {
  AccessRequest sent;
  sent.Option("sig", "c2VjcmV0");
  sent.Option("sv", "2019-02-02");
  const Status status = sent.Send().status();
  EXPECT_EQ(status.failure().http_status, 403);
  EXPECT_EQ(status.failure().message,
            "Server failed to authenticate the request. Make sure the value of Authorization "
            "header is formed correctly including the signature.");
  EXPECT_EQ(status.message().find("c2VjcmV0"), std::string_view::npos);
}

TEST(AuthenticateTest, TheHeaderGoesBeforeTheSas) {
  const std::string text = "devstoreaccount1\nr\nt\nsco\n\n2026-11-30T00:00:00Z\n\n\n2019-02-02\n";
  AccessRequest sent;
  sent.Option("sv", "2019-02-02");
  sent.Option("ss", "t");
  sent.Option("srt", "sco");
  sent.Option("sp", "r");
  sent.Option("se", "2026-11-30T00:00:00Z");
  sent.Sign(text);
  EXPECT_EQ(sent.Outcome(), "OK");
  sent.request.headers.Set("Authorization", "SharedKeyLite devstoreaccount1:bad");
  EXPECT_EQ(sent.Outcome(), "AuthenticationFailed");
  sent.request.headers.Set("x-ms-date", kTestDate);
  sent.request.headers.Set(
      "Authorization",
      "SharedKeyLite devstoreaccount1:EX8zllCUEgtAqY9JXSotlmutnF2GPHcSIWqz9eTgZJM=");
  sent.Option("sig", "bad");
  const auto access = sent.Send();
  ASSERT_TRUE(access.ok());
  EXPECT_EQ(access->kind, Access::Kind::kOwner);
}

constexpr Operation kOnEntities[] = {operations::kQuery, operations::kInsert, operations::kUpdate,
                                     operations::kUpsert, operations::kDelete};
constexpr Operation kOnOthers[] = {operations::kListTables,    operations::kCreateTable,
                                   operations::kGetTable,      operations::kDeleteTable,
                                   operations::kGetProperties, operations::kSetProperties,
                                   operations::kGetStats,      operations::kTableAcl};

std::string Ask(Access::Kind kind, const char* resource_types, const char* permissions,
                const Operation& operation, const char* table = "T") {
  Access access;
  access.kind = kind;
  access.resource_types = resource_types;
  access.permissions = permissions;
  if (kind == Access::Kind::kTableSas) access.table = "t";
  return ErrorCodeOf(CheckAllowed(access, operation, table));
}

TEST(CheckAllowedTest, TheOwnerMayAll) {
  for (const Operation& operation : kOnEntities) {
    EXPECT_EQ(Ask(Access::Kind::kOwner, "", "", operation), "OK");
  }
  for (const Operation& operation : kOnOthers) {
    EXPECT_EQ(Ask(Access::Kind::kOwner, "", "", operation), "OK");
  }
}

struct AccountCase {
  Operation operation;
  const char* resource_types;                // each of them suffices
  std::vector<const char*> permissions;      // each of them suffices
  std::vector<const char*> not_permissions;  // none of them suffices
};

TEST(CheckAllowedTest, AccountSas) {
  const std::vector<AccountCase> cases = {
      {operations::kListTables, "sc", {"l", "rl", "rwdlau"}, {"r", "rwdau", "c"}},
      {operations::kCreateTable, "c", {"c", "w", "rw"}, {"d", "rdlau"}},
      {operations::kGetTable, "c", {"l", "r"}, {"wdauc"}},
      {operations::kDeleteTable, "c", {"d"}, {"rwlauc"}},
      {operations::kQuery, "o", {"r", "ur"}, {"wdlauc"}},
      {operations::kInsert, "o", {"a"}, {"rwdlu"}},
      {operations::kUpdate, "o", {"u"}, {"rwdla"}},
      {operations::kUpsert, "o", {"au", "ua", "raud"}, {"a", "u", "rwdl"}},
      {operations::kDelete, "o", {"d"}, {"rwlau"}},
      {operations::kGetProperties, "s", {"r"}, {"w"}},
      {operations::kSetProperties, "s", {"w"}, {"r"}},
      {operations::kGetStats, "s", {"r"}, {"w"}},
  };
  for (const AccountCase& c : cases) {
    const auto number = &c - cases.data();
    for (const char type : std::string("sco")) {
      const bool suffices = std::string(c.resource_types).find(type) != std::string::npos;
      const std::string types(1, type);
      for (const char* permissions : c.permissions) {
        EXPECT_EQ(Ask(Access::Kind::kAccountSas, types.c_str(), permissions, c.operation),
                  suffices ? "OK" : "AuthorizationResourceTypeMismatch")
            << number << types << permissions;
      }
      for (const char* permissions : c.not_permissions) {
        EXPECT_EQ(
            Ask(Access::Kind::kAccountSas, types.c_str(), permissions, c.operation),
            suffices ? "AuthorizationPermissionMismatch" : "AuthorizationResourceTypeMismatch")
            << number << types << permissions;
      }
    }
  }
  EXPECT_EQ(Ask(Access::Kind::kAccountSas, "sco", "rwdlacup", operations::kTableAcl),
            "AuthorizationFailure");
}

TEST(CheckAllowedTest, TableSas) {
  const std::string needed[] = {"r", "a", "u", "au", "d"};  // in the order of kOnEntities
  const auto ask = [](const std::string& permissions, const Operation& operation,
                      const char* table) {
    return Ask(Access::Kind::kTableSas, "", permissions.c_str(), operation, table);
  };
  for (const Operation& operation : kOnOthers) {
    EXPECT_EQ(ask("raudlwc", operation, "T"), "AuthorizationFailure");
    EXPECT_EQ(ask("raudlwc", operation, ""), "AuthorizationFailure");
  }
  for (size_t i = 0; i < std::size(kOnEntities); ++i) {
    const Operation& operation = kOnEntities[i];
    EXPECT_EQ(ask(needed[i], operation, "T"), "OK");
    EXPECT_EQ(ask("raud", operation, "t"), "OK");
    EXPECT_EQ(ask("raud", operation, "other"), "AuthenticationFailed");
    EXPECT_EQ(ask("", operation, "T"), "AuthorizationPermissionMismatch");
    for (const char letter : needed[i]) {
      std::string others = "raud";
      others.erase(others.find(letter), 1);
      EXPECT_EQ(ask(others, operation, "T"), "AuthorizationPermissionMismatch") << others;
    }
  }
}

}  // namespace
}  // namespace aztables
