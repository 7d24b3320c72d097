// Checks Status, Result and the sentence of a failure.
#include "base/status.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace aztables {
namespace {

Failure SampleFailure() {
  Failure failure;
  failure.http_status = 409;
  failure.code = "EntityAlreadyExists";
  failure.message = "The specified entity already exists.";
  failure.request_id = "11111111-2222-3333-4444-555555555555";
  failure.operation_index = 3;
  failure.may_have_reached = true;
  return failure;
}

TEST(StatusTest, DefaultIsOkAndCarriesNothing) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), Code::kOk);
  EXPECT_EQ(status.message(), "");
  EXPECT_EQ(status.failure().http_status, 0);
  EXPECT_EQ(status.failure().code, "");
  EXPECT_EQ(status.failure().operation_index, -1);
  EXPECT_FALSE(status.failure().may_have_reached);
}

TEST(StatusTest, ErrorCarriesCodeAndMessage) {
  const Status status(Code::kBusy, "throttled");
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.code(), Code::kBusy);
  EXPECT_EQ(status.message(), "throttled");
  EXPECT_EQ(status.failure().http_status, 0);
  EXPECT_EQ(Status::Error("plain").code(), Code::kError);
  EXPECT_EQ(Status::Error("plain").message(), "plain");
}

TEST(StatusTest, ErrorWithEmptyMessageIsStillAnError) {
  EXPECT_FALSE(Status::Error("").ok());
  EXPECT_EQ(Status::Error("").message(), "");
}

TEST(StatusTest, DetailIsKept) {
  const Status status(Code::kAlreadyExists, "exists", SampleFailure());
  EXPECT_EQ(status.failure().http_status, 409);
  EXPECT_EQ(status.failure().code, "EntityAlreadyExists");
  EXPECT_EQ(status.failure().message, "The specified entity already exists.");
  EXPECT_EQ(status.failure().request_id, "11111111-2222-3333-4444-555555555555");
  EXPECT_EQ(status.failure().operation_index, 3);
  EXPECT_TRUE(status.failure().may_have_reached);
}

TEST(StatusTest, PartsThatAreAddedKeepTheOthers) {
  const Status status(Code::kAlreadyExists, "exists", SampleFailure());
  const Status changed =
      status.Noting("; 2 EGTs applied").WithAdvice("; read it").In("table t").In("virtual table v");
  EXPECT_EQ(changed.message(), "virtual table v: table t: exists; read it; 2 EGTs applied");
  EXPECT_EQ(changed.code(), Code::kAlreadyExists);
  EXPECT_EQ(changed.failure().operation_index, 3);
  EXPECT_EQ(changed.failure().code, "EntityAlreadyExists");
  EXPECT_EQ(changed.As(Code::kError).code(), Code::kError);
  EXPECT_EQ(changed.As(Code::kError).message(), changed.message());
  EXPECT_EQ(status.message(), "exists") << "the original is as it was";
}

TEST(StatusTest, OkStaysOk) {
  EXPECT_TRUE(Status().In("table t").WithAdvice("; do").Noting("; note").ok());
}

TEST(SentenceTest, HasThePartsThatAreThere) {
  Failure failure = SampleFailure();
  failure.where = "table v";
  failure.has_response = true;
  failure.operation = "writing to";
  failure.table = "Movies";
  failure.connection = "prod";
  failure.cause = "the entity exists";
  failure.advice = "; read it";
  failure.notes = "; nothing was sent";
  EXPECT_EQ(Sentence(failure),
            "table v: writing to table Movies (connection 'prod') failed: the entity exists; read "
            "it [409 EntityAlreadyExists, request id 11111111-2222-3333-4444-555555555555]; "
            "nothing was sent");
  failure.table.clear();
  failure.code.clear();
  failure.request_id.clear();
  failure.operation = "listing tables";
  EXPECT_EQ(Sentence(failure),
            "table v: listing tables (connection 'prod') failed: the entity exists; read it [409]; "
            "nothing was sent");
}

TEST(StatusTest, CopiesOutliveTheOriginal) {
  Status copy;
  {
    const Status status(Code::kAuth, "refused", SampleFailure());
    copy = status;
  }
  EXPECT_EQ(copy.code(), Code::kAuth);
  EXPECT_EQ(copy.message(), "refused");
  EXPECT_EQ(copy.failure().http_status, 409);
}

Status ReturnsEarly(const Status& first, bool& reached) {
  AZTABLES_RETURN_IF_ERROR(first);
  reached = true;
  return {};
}

TEST(StatusTest, ReturnIfErrorReturnsErrorsOnly) {
  bool reached = false;
  EXPECT_EQ(ReturnsEarly({Code::kTooBig, "too big"}, reached).code(), Code::kTooBig);
  EXPECT_FALSE(reached);
  EXPECT_TRUE(ReturnsEarly({}, reached).ok());
  EXPECT_TRUE(reached);
}

TEST(ResultTest, HoldsAValue) {
  Result<std::string> result(std::string("value"));
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result.status().ok());
  EXPECT_EQ(*result, "value");
  EXPECT_EQ(result->size(), 5U);
  *result += "!";
  EXPECT_EQ(*result, "value!");
}

TEST(ResultTest, HoldsAnError) {
  const Result<std::string> result(Status(Code::kNotFound, "no table", SampleFailure()));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), Code::kNotFound);
  EXPECT_EQ(result.status().message(), "no table");
  EXPECT_EQ(result.status().failure().http_status, 409);
}

TEST(ResultTest, HoldsWhatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
  ASSERT_TRUE(result.ok());
  const std::unique_ptr<int> taken = std::move(*result);
  EXPECT_EQ(*taken, 7);
}

TEST(ResultTest, FalseIsAValueAndNoError) {
  const Result<bool> result(false);
  ASSERT_TRUE(result.ok());
  EXPECT_FALSE(*result);
}

}  // namespace
}  // namespace aztables
