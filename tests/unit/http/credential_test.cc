// Checks how the pipeline uses a credential that must get a token first: when it asks for it, and
// what follows a 401.
#include "http/credential.h"

#include <gtest/gtest.h>

#include <array>

#include "unit/http/fake_transport.h"

namespace aztables {
namespace {

using testing_support::FakeTransport;
using testing_support::MakeQuickPipeline;
using testing_support::MakeRead;
using testing_support::TickingClock;

class TokenCredential final : public Credential {
 public:
  bool IsReady() const override { return ready; }
  Status MakeReady(const Cancel& cancel) override {
    ++asked;
    AZTABLES_RETURN_IF_ERROR(cancel.Check());
    ready = outcome.ok();
    return outcome;
  }
  Status Sign(Request& request) override {
    EXPECT_TRUE(ready);
    request.headers.Set("Authorization", "Bearer " + std::to_string(asked));
    return {};
  }
  bool OnUnauthorized(const Response& response) override {
    EXPECT_EQ(response.status, 401);
    ready = false;
    return renews;
  }

  bool ready = false;
  bool renews = true;
  int asked = 0;
  Status outcome;
};

class CredentialTest : public testing::Test {
 protected:
  Outcome Send(int retries = 5) {
    Request request = MakeRead();
    request.max_retries = retries;
    return pipeline_->Send(std::move(request), {});
  }
  std::string TokenOf(size_t sent) const {
    return std::string(transport_.sent[sent].headers.Get("Authorization"));
  }

  FakeTransport transport_;
  TokenCredential credential_;
  TickingClock clock_;
  RequestLog log_;
  std::unique_ptr<Pipeline> pipeline_ =
      MakeQuickPipeline(&transport_, &credential_, &log_, &clock_);
};

TEST_F(CredentialTest, ItIsMadeReadyOnceBeforeTheFirstAttempt) {
  transport_.Reply(200);
  transport_.Reply(200);
  const auto one = pipeline_->Start(MakeRead());
  const auto other = pipeline_->Start(MakeRead());
  EXPECT_TRUE(transport_.sent.empty());
  EXPECT_EQ(credential_.asked, 0);
  const std::array<Exchange*, 2> both = {one.get(), other.get()};
  ASSERT_TRUE(pipeline_->WaitAny(both, {}).ok());
  EXPECT_TRUE(one->done());
  EXPECT_TRUE(other->done());
  EXPECT_EQ(credential_.asked, 1);
  EXPECT_EQ(TokenOf(1), "Bearer 1");
}

TEST_F(CredentialTest, ItsFailureIsThatOfTheRequest) {
  credential_.outcome = Status(Code::kAuth, "no token");
  const Outcome outcome = Send();
  EXPECT_EQ(outcome.status().code(), Code::kAuth);
  EXPECT_EQ(outcome.status().message(), "no token");
  EXPECT_TRUE(transport_.sent.empty());
}

TEST_F(CredentialTest, AnInterruptLeavesTheExchangeAsItIs) {
  transport_.Reply(200);
  const auto exchange = pipeline_->Start(MakeRead());
  const std::array<Exchange*, 1> one = {exchange.get()};
  EXPECT_EQ(pipeline_->WaitAny(one, Cancel([] { return true; })).code(), Code::kInterrupt);
  EXPECT_FALSE(exchange->done());
  EXPECT_TRUE(pipeline_->WaitAny(one, {}).ok());
  EXPECT_TRUE(exchange->done());
  EXPECT_EQ(TokenOf(0), "Bearer 2");
}

TEST_F(CredentialTest, OtherRequestsAreDrivenMeanwhile) {
  credential_.ready = true;
  transport_.Hold(200);
  const auto under_way = pipeline_->Start(MakeRead());
  credential_.ready = false;
  transport_.Reply(200);
  const auto waiting = pipeline_->Start(MakeRead());
  const std::array<Exchange*, 2> both = {under_way.get(), waiting.get()};
  ASSERT_TRUE(pipeline_->WaitAny(both, {}).ok());
  EXPECT_EQ(transport_.driven, 1) << "by the credential";
}

TEST_F(CredentialTest, AfterA401TheRequestIsSignedAndSentOnceMore) {
  transport_.Reply(401);
  transport_.Reply(200);
  EXPECT_EQ(Send(0)->status, 200) << "it is not a retry";
  EXPECT_EQ(TokenOf(0), "Bearer 1");
  EXPECT_EQ(TokenOf(1), "Bearer 2");
  transport_.Reply(401);
  transport_.Reply(401);
  EXPECT_EQ(Send()->status, 401);
  EXPECT_EQ(transport_.sent.size(), 4U);
}

TEST_F(CredentialTest, RetriesAreCountedWithoutIt) {
  transport_.Reply(401);
  transport_.Reply(503);
  transport_.Reply(200);
  EXPECT_EQ(Send(1)->status, 200);
}

TEST_F(CredentialTest, A401IsFinalIfTheCredentialCannotBeRenewed) {
  credential_.renews = false;
  transport_.Reply(401);
  EXPECT_EQ(Send()->status, 401);
  EXPECT_EQ(transport_.sent.size(), 1U);
}

}  // namespace
}  // namespace aztables
