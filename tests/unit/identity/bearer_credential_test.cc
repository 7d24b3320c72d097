// When the credential of an identity asks for a token, and what it does with one.
#include "identity/bearer_credential.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace aztables {
namespace {

using std::chrono::seconds;

// Gives tokens "1", "2" ... with the lives of a list; 0: fails.
class Source final : public TokenSource {
 public:
  Source(std::vector<int> lives, std::vector<TokenDemand>& demands)
      : lives_(std::move(lives)), demands_(demands) {}
  std::string Describe() const override { return "somebody"; }
  Result<AccessToken> Get(const TokenDemand& demand, const Cancel&) override {
    const size_t number = demands_.size();
    demands_.push_back(demand);
    const int life = number < lives_.size() ? lives_[number] : 0;
    if (life == 0) return Status(Code::kAuth, "refused");
    return MakeToken(std::to_string(number + 1), seconds(life), Clock::System());
  }

 private:
  std::vector<int> lives_;
  std::vector<TokenDemand>& demands_;
};

class BearerCredentialTest : public testing::Test {
 protected:
  void Make(std::vector<int> lives) {
    credential_ =
        MakeBearerCredential(std::make_unique<Source>(std::move(lives), demands_), "the scope");
  }
  std::string Signed() {
    Request request;
    EXPECT_TRUE(credential_->Sign(request).ok());
    return std::string(request.headers.Get("Authorization"));
  }

  std::vector<TokenDemand> demands_;
  std::unique_ptr<BearerCredential> credential_;
};

TEST_F(BearerCredentialTest, ATokenIsAskedForOnce) {
  Make({3600});
  EXPECT_FALSE(credential_->IsReady());
  EXPECT_EQ(credential_->Identity(), "somebody");
  ASSERT_TRUE(credential_->MakeReady(Cancel()).ok());
  EXPECT_TRUE(credential_->IsReady());
  EXPECT_EQ(Signed(), "Bearer 1");
  EXPECT_EQ(credential_->Signatures(), "1");
  ASSERT_EQ(demands_.size(), 1U);
  EXPECT_EQ(demands_[0].scope, "the scope");
  EXPECT_EQ(demands_[0].tenant, "");
}

// Of 100 s, the last 50 are the time for a new one.
TEST_F(BearerCredentialTest, AGoodTokenOutlivesAFailedReplacement) {
  Make({1, 100, 0});
  ASSERT_TRUE(credential_->MakeReady(Cancel()).ok());
  ASSERT_TRUE(credential_->MakeReady(Cancel()).ok());
  ASSERT_TRUE(credential_->MakeReady(Cancel()).ok());
  EXPECT_TRUE(credential_->IsReady());
  EXPECT_EQ(Signed(), "Bearer 2");
}

TEST_F(BearerCredentialTest, ATokenAtItsEndDoesNot) {
  Make({5, 0});
  ASSERT_TRUE(credential_->MakeReady(Cancel()).ok());
  const Status failed = credential_->MakeReady(Cancel());
  EXPECT_EQ(failed.code(), Code::kAuth);
  EXPECT_TRUE(failed.failure().sign_in);
}

TEST_F(BearerCredentialTest, AfterARefusalTheChallengeNamesTheTenant) {
  const struct {
    const char* challenge;
    const char* tenant;
  } kCases[] = {
      {"Bearer authorization_uri=https://login.microsoftonline.com/"
       "22222222-2222-4222-8222-222222222222/oauth2/authorize resource_id=https://x",
       "22222222-2222-4222-8222-222222222222"},
      {"Bearer authorization_uri=\"https://login.microsoftonline.us/"
       "22222222-2222-4222-8222-222222222222\", error=\"x\"",
       "22222222-2222-4222-8222-222222222222"},
      {"Bearer authorization_uri=https://login.microsoftonline.com/common/oauth2/authorize", ""},
      {"Bearer authorization_uri=nonsense", ""},
      {"Bearer", ""},
      {"", ""},
  };
  for (const auto& [challenge, tenant] : kCases) {
    demands_.clear();
    Make({3600, 3600});
    ASSERT_TRUE(credential_->MakeReady(Cancel()).ok());
    Response response{.status = 401};
    response.headers.Add("WWW-Authenticate", challenge);
    EXPECT_TRUE(credential_->OnUnauthorized(response));
    EXPECT_FALSE(credential_->IsReady());
    ASSERT_TRUE(credential_->MakeReady(Cancel()).ok());
    EXPECT_EQ(demands_.back().tenant, tenant) << challenge;
    EXPECT_EQ(Signed(), "Bearer 2");
  }
}

}  // namespace
}  // namespace aztables
