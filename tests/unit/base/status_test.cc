// Checks Status and Result: their contents, and that rewording a message keeps the rest.
#include "base/status.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace aztables {
namespace {

ServiceDetail SampleDetail() {
  ServiceDetail detail;
  detail.http_status = 409;
  detail.code = "EntityAlreadyExists";
  detail.message = "The specified entity already exists.";
  detail.request_id = "11111111-2222-3333-4444-555555555555";
  detail.operation_index = 3;
  detail.may_have_reached = true;
  return detail;
}

TEST(StatusTest, DefaultIsOkAndCarriesNothing) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), Code::kOk);
  EXPECT_EQ(status.message(), "");
  EXPECT_EQ(status.detail().http_status, 0);
  EXPECT_EQ(status.detail().code, "");
  EXPECT_EQ(status.detail().operation_index, -1);
  EXPECT_FALSE(status.detail().may_have_reached);
}

TEST(StatusTest, ErrorCarriesCodeAndMessage) {
  const Status status(Code::kBusy, "throttled");
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.code(), Code::kBusy);
  EXPECT_EQ(status.message(), "throttled");
  EXPECT_EQ(status.detail().http_status, 0);
  EXPECT_EQ(Status::Error("plain").code(), Code::kError);
  EXPECT_EQ(Status::Error("plain").message(), "plain");
}

TEST(StatusTest, ErrorWithEmptyMessageIsStillAnError) {
  EXPECT_FALSE(Status::Error("").ok());
  EXPECT_EQ(Status::Error("").message(), "");
}

TEST(StatusTest, DetailIsKept) {
  const Status status(Code::kAlreadyExists, "exists", SampleDetail());
  EXPECT_EQ(status.detail().http_status, 409);
  EXPECT_EQ(status.detail().code, "EntityAlreadyExists");
  EXPECT_EQ(status.detail().message, "The specified entity already exists.");
  EXPECT_EQ(status.detail().request_id, "11111111-2222-3333-4444-555555555555");
  EXPECT_EQ(status.detail().operation_index, 3);
  EXPECT_TRUE(status.detail().may_have_reached);
}

TEST(StatusTest, WithMessageChangesTheWordsOnly) {
  const Status status(Code::kAlreadyExists, "exists", SampleDetail());
  const Status changed = status.WithMessage("another message");
  EXPECT_EQ(changed.message(), "another message");
  EXPECT_EQ(changed.code(), Code::kAlreadyExists);
  EXPECT_EQ(changed.detail().operation_index, 3);
  EXPECT_EQ(changed.detail().code, "EntityAlreadyExists");
  EXPECT_EQ(status.message(), "exists") << "the original is as it was";
}

TEST(StatusTest, CopiesOutliveTheOriginal) {
  Status copy;
  {
    const Status status(Code::kAuth, "refused", SampleDetail());
    copy = status;
  }
  EXPECT_EQ(copy.code(), Code::kAuth);
  EXPECT_EQ(copy.message(), "refused");
  EXPECT_EQ(copy.detail().http_status, 409);
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
  const Result<std::string> result(Status(Code::kNotFound, "no table", SampleDetail()));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), Code::kNotFound);
  EXPECT_EQ(result.status().message(), "no table");
  EXPECT_EQ(result.status().detail().http_status, 409);
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
