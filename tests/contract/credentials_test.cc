// Checks the responses to requests with a wrong, an old or no signature.
#include <string>

#include "raw_test_base.h"

namespace aztables {
namespace {

class ClockAnHourBehind final : public Clock {
 public:
  int64_t NowMs() const override { return Clock::System().NowMs() - 3'600'000; }
};

// Signs a GET by SharedKey, which also covers the method and headers of the body.
class SharedKeyCredential final : public Credential {
 public:
  explicit SharedKeyCredential(const ConnectionSettings& settings) : settings_(settings) {}
  Status Sign(Request& request) override {
    const std::string date(request.headers.Get("x-ms-date"));
    const std::string text = "GET\n\n\n" + date + "\n/" + settings_.account + request.path;
    request.headers.Set("Authorization",
                        "SharedKey " + settings_.account + ":" +
                            Base64Encode(*HmacSha256(settings_.key.Reveal(), text)));
    return {};
  }

 private:
  const ConnectionSettings& settings_;
};

class HttpCredentialsTest : public HttpTest {
 protected:
  static std::string Failed() {
    return Differs(Difference::kAuthenticationFailure) ? "403 AuthorizationFailure"
                                                       : "403 AuthenticationFailed";
  }
};

TEST_F(HttpCredentialsTest, NoSignature) {
  const ParsedResponse response = SendUnsigned({.path = table_});
  EXPECT_EQ(response.outcome(), Failed());
  EXPECT_TRUE(response.body.starts_with("<?xml")) << response.body;
  EXPECT_EQ(std::string(response.headers.Get("x-ms-error-code")), response.code);
}

TEST_F(HttpCredentialsTest, NoSignatureButAVersionThatKnowsTokens) {
  const ParsedResponse response =
      SendUnsigned({.path = table_, .headers = {{"x-ms-version", "2020-12-06"}}});
  const bool no_tokens = Differs(Difference::kNoChallenge);
  EXPECT_EQ(response.outcome(),
            no_tokens ? "403 AuthorizationFailure" : "401 InvalidAuthenticationInfo");
  EXPECT_EQ(response.headers.Get("WWW-Authenticate").empty(), no_tokens);
}

TEST_F(HttpCredentialsTest, AForgedSignature) {
  for (const char* scheme : {"SharedKeyLite", "SharedKey"}) {
    const ParsedResponse response = SendUnsigned(
        {.path = table_,
         .headers = {{"Authorization", std::string(scheme) + " " + wire_->settings().account +
                                           ":bm90IHRoZSBzaWduYXR1cmU="}}});
    EXPECT_EQ(response.outcome(), Failed()) << scheme;
  }
}

TEST_F(HttpCredentialsTest, ASharedKeyOverTheWholeHead) {
  SharedKeyCredential credential(wire_->settings());
  RequestLog log;
  const auto pipeline = MakePipeline(wire_->transport(), &credential, &log, &Clock::System());
  EXPECT_EQ(ParseResponse(pipeline->Send(Make(*wire_, {.path = table_}), cancel_)).outcome(),
            "200");
}

TEST_F(HttpCredentialsTest, ADateAnHourAgo) {
  const ClockAnHourBehind clock;
  const auto credential = MakeCredential(wire_->settings());
  RequestLog log;
  const auto pipeline = MakePipeline(wire_->transport(), credential.get(), &log, &clock);
  EXPECT_EQ(ParseResponse(pipeline->Send(Make(*wire_, {.path = table_}), cancel_)).outcome(),
            Differs(Difference::kOldDates) ? "200" : "403 AuthenticationFailed");
}

}  // namespace
}  // namespace aztables
