// Checks the log's fields of a request: attempts, bytes, status, error, ids. It never contains a
// credential.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "unit/http/fake_transport.h"

namespace aztables {
namespace {

using testing_support::CountingCredential;
using testing_support::FakeTransport;
using testing_support::MakeQuickPipeline;
using testing_support::MakeRead;
using testing_support::TickingClock;

class LogTest : public testing::Test {
 protected:
  const RequestRecord& Send(Request request) {
    (void)pipeline_->Send(std::move(request), Cancel());
    return log_.At(log_.size() - 1);
  }

  static Headers RequestId(const char* id) {
    Headers headers;
    headers.Add("x-ms-request-id", id);
    return headers;
  }

  FakeTransport transport_;
  TickingClock clock_;
  CountingCredential credential_;
  RequestLog log_;
  std::unique_ptr<Pipeline> pipeline_ =
      MakeQuickPipeline(&transport_, &credential_, &log_, &clock_);
};

TEST_F(LogTest, ARead) {
  transport_.Reply(200, "12345", RequestId("id-1"));
  Request request = MakeRead("/T()");
  request.query = "$filter=PartitionKey%20eq%20%27a%27";
  request.label = {7, 2, "prod", "T", "row range", "PartitionKey eq 'a'"};
  const RequestRecord& record = Send(request);
  EXPECT_EQ(record.id, 1);
  EXPECT_EQ(record.method, "GET");
  EXPECT_EQ(record.url, "https://acct.example/T()?$filter=PartitionKey%20eq%20%27a%27");
  EXPECT_EQ(record.status, 200);
  EXPECT_EQ(record.error, "");
  EXPECT_EQ(record.attempts, 1);
  EXPECT_EQ(record.bytes_in, 5);
  EXPECT_EQ(record.bytes_out, 0);
  EXPECT_EQ(record.request_id, "id-1");
  EXPECT_GE(record.time_ms, 1'793'613'600'000);
  EXPECT_GE(record.ms, 0);
  EXPECT_EQ(record.label.statement_id, 7);
  EXPECT_EQ(record.label.scan, 2);
  EXPECT_EQ(record.label.connection, "prod");
  EXPECT_EQ(record.label.table, "T");
  EXPECT_EQ(record.label.kind, "row range");
  EXPECT_EQ(record.label.filter, "PartitionKey eq 'a'");
}

TEST_F(LogTest, RetriesAreOneRecord) {
  transport_.Reply(503, "busy", RequestId("id-1"));
  transport_.Fail({Code::kBusy, "reset"});
  transport_.Reply(200, "123456", RequestId("id-3"));
  Request request = MakeRead();
  request.body = "abc";
  const RequestRecord& record = Send(request);
  EXPECT_EQ(log_.size(), 1U);
  EXPECT_EQ(record.attempts, 3);
  EXPECT_EQ(record.status, 200);
  EXPECT_EQ(record.error, "");
  EXPECT_EQ(record.bytes_in, 10);
  EXPECT_EQ(record.bytes_out, 9);
  EXPECT_EQ(record.request_id, "id-3");
  EXPECT_GE(record.ms, 200) << "two waits of 0.1 s";
}

// A prefetched response is read later, when its page is needed.
TEST_F(LogTest, TheTimeEndsWithTheResponse) {
  transport_.Hold(200);
  const auto began = std::chrono::steady_clock::now();
  const std::unique_ptr<Exchange> exchange = pipeline_->Start(MakeRead());
  transport_.Release(0);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  Exchange* const waiting[] = {exchange.get()};
  ASSERT_TRUE(pipeline_->WaitAny(waiting, Cancel()).ok());
  EXPECT_LE(log_.At(0).ms, took.count());
}

TEST_F(LogTest, AnErrorOfTheTransport) {
  transport_.Reply(500, "x", RequestId("id-1"));
  transport_.Fail({Code::kError, "certificate refused"});
  const RequestRecord& record = Send(MakeRead());
  EXPECT_EQ(record.attempts, 2);
  EXPECT_EQ(record.status, 0) << "no response came";
  EXPECT_EQ(record.error, "certificate refused");
  EXPECT_EQ(record.bytes_in, 1);
}

TEST_F(LogTest, ARefusal) {
  transport_.Reply(404, "{}");
  const RequestRecord& record = Send(MakeRead());
  EXPECT_EQ(record.status, 404);
  EXPECT_EQ(record.error, "");
  EXPECT_EQ(record.attempts, 1);
}

TEST_F(LogTest, UnderWayAndGivenUp) {
  auto exchange = pipeline_->Start(MakeRead());
  EXPECT_EQ(exchange->log_id(), 1);
  EXPECT_EQ(log_.Find(1)->status, 0);
  EXPECT_EQ(log_.Find(1)->attempts, 1);
  exchange.reset();
  EXPECT_EQ(log_.Find(1)->error, "abandoned before a response arrived");
}

TEST_F(LogTest, ARecordThatWasDroppedIsNoHarm) {
  transport_.Hold(200);
  const auto exchange = pipeline_->Start(MakeRead());
  for (size_t i = 0; i < RequestLog::kCapacity; ++i) log_.Add();
  EXPECT_EQ(log_.Find(1), nullptr);
  transport_.Release(0);
  Exchange* const waiting = exchange.get();
  ASSERT_TRUE(pipeline_->WaitAny({&waiting, 1}, Cancel()).ok());
  EXPECT_EQ(exchange->Take()->status, 200);
  EXPECT_EQ(log_.size(), RequestLog::kCapacity);
}

TEST_F(LogTest, NoCredentialIsInIt) {
  transport_.Reply(503);
  transport_.Reply(403, "TopSecret is not repeated from bodies");
  Request request = MakeRead();
  request.query = "$top=5";
  Send(request);
  ASSERT_EQ(transport_.sent.back().credential_query.view(), "sig=TopSecret2") << "it was sent";
  for (size_t i = 0; i < log_.size(); ++i) {
    const RequestRecord& record = log_.At(i);
    for (const std::string& text :
         {record.url, record.method, record.error, record.code, record.request_id,
          record.label.connection, record.label.table, record.label.kind, record.label.filter}) {
      EXPECT_EQ(text.find("TopSecret"), std::string::npos) << text;
      EXPECT_EQ(text.find("sig="), std::string::npos) << text;
      EXPECT_EQ(text.find("signature"), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace aztables
