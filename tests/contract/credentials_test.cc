// Checks the responses to requests with a wrong, an old or no signature.
#include <string>

#include "raw_test_base.h"

namespace aztables {
namespace {

class ClockAnHourBehind final : public Clock {
 public:
  int64_t NowMs() const override { return Clock::System().NowMs() - 3'600'000; }
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
  const std::string date = HttpDate(Clock::System().NowMs());
  Request request = Make(*wire_, {.path = table_});
  request.headers.Set("x-ms-date", date);
  const std::string text = "GET\n\n\n" + date + "\n/" + wire_->settings().account + request.path;
  request.headers.Set("Authorization",
                      "SharedKey " + wire_->settings().account + ":" +
                          Base64Encode(HmacSha256(wire_->settings().key.Reveal(), text)));
  Pipeline pipeline({}, wire_->transport());
  EXPECT_EQ(ParseResponse(pipeline.Send(request, cancel_)).outcome(), "200");
}

TEST_F(HttpCredentialsTest, ADateAnHourAgo) {
  const ClockAnHourBehind clock;
  const auto signer = MakeSigner(wire_->settings());
  RequestLog log;
  const auto pipeline = MakePipeline(wire_->transport(), signer.get(), &log, &clock);
  EXPECT_EQ(ParseResponse(pipeline->Send(Make(*wire_, {.path = table_}), cancel_)).outcome(),
            Differs(Difference::kOldDates) ? "200" : "403 AuthenticationFailed");
}

}  // namespace
}  // namespace aztables
