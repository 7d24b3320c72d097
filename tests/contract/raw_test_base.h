// RawTest: sends requests of any form, even those that the client never sends. Requests are signed
// and never retried.
//
// HttpTest: the same for HTTP's credentials, which a local store does not have. Names of its suites
// begin with "Http", so the run on a local store can exclude them.
#pragma once

#include <optional>

#include "base/encoding.h"
#include "contract_test_base.h"
#include "differences.h"
#include "json_text.h"

namespace aztables {

inline constexpr const char* kStaleEtag = "W/\"datetime'2020-01-01T00%3A00%3A00.1234567Z'\"";

// A request. `headers` supplement or replace those of every client.
struct Ask {
  std::string method = "GET";
  std::string path;  // after the account, percent-encoded
  std::string query;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

struct ParsedResponse {
  int status = 0;  // 0: no response
  std::string code;
  std::string message;  // without RequestId and Time
  Headers headers;
  std::string body;

  // "404 ResourceNotFound", or "204".
  std::string outcome() const { return std::to_string(status) + (code.empty() ? "" : " " + code); }
  std::string etag() const { return std::string(headers.Get("ETag")); }
  std::string At(std::string_view pointer) const { return JsonAt(body, pointer); }
};

class RawTest : public ContractTest {
 protected:
  // The unsigned request of the wire's account.
  Request Make(const Wire& wire, const Ask& ask) const {
    Request request;
    request.method = ask.method;
    request.origin = wire.settings().endpoint.Origin();
    request.path = wire.settings().endpoint.path + "/" + ask.path;
    request.query = ask.query;
    request.body = ask.body;
    request.may_repeat = false;
    request.max_retries = 0;
    Headers& headers = request.headers;
    headers.Set("x-ms-version", "2019-02-02");
    headers.Set("DataServiceVersion", "3.0");
    headers.Set("Accept", "application/json;odata=minimalmetadata");
    if (!ask.body.empty()) headers.Set("Content-Type", "application/json");
    for (const auto& [name, value] : ask.headers) headers.Set(name, value);
    return request;
  }
  ParsedResponse SendOn(Wire& wire, const Ask& ask) const {
    return ParseResponse(wire.pipeline().Send(Make(wire, ask), cancel_));
  }
  ParsedResponse Send(const Ask& ask) const { return SendOn(*wire_, ask); }
  // The same without a signature.
  ParsedResponse SendUnsigned(const Ask& ask) const {
    RequestLog log;
    const auto pipeline = MakePipeline(wire_->transport(), nullptr, &log, &Clock::System());
    return ParseResponse(pipeline->Send(Make(*wire_, ask), cancel_));
  }

  std::string Address(std::string_view partition_key, std::string_view row_key) const {
    return EntityAddress(table_, partition_key, row_key);
  }
  // The body of an insert into partition "p"; `properties` are additional members.
  static std::string Body(const std::string& row_key, const std::string& properties = "",
                          const std::string& partition_key = "p") {
    return R"({"PartitionKey":")" + partition_key + R"(","RowKey":")" + row_key + "\"" +
           (properties.empty() ? "" : ",") + properties + "}";
  }
  ParsedResponse Insert(const std::string& row_key, const std::string& properties = "",
                        const std::string& partition_key = "p") const {
    return Send(
        {.method = "POST", .path = table_, .body = Body(row_key, properties, partition_key)});
  }
  // Sends PUT, MERGE, PATCH or DELETE for an entity of partition "p".
  ParsedResponse Change(const std::string& method, const std::string& row_key,
                        const std::string& body,
                        const std::optional<std::string>& if_match = std::nullopt) const {
    Ask ask{.method = method, .path = Address("p", row_key), .body = body};
    if (if_match) ask.headers.emplace_back("If-Match", *if_match);
    return Send(ask);
  }
  ParsedResponse Get(const std::string& row_key, const std::string& query = "") const {
    return Send({.path = Address("p", row_key), .query = query});
  }
  ParsedResponse List(const std::string& query) const {
    return Send({.path = table_ + "()", .query = query});
  }
  // The RowKeys that the filter returns, separated by blanks; else the outcome.
  std::string Rows(const std::string& filter) const {
    const ParsedResponse response = List("$filter=" + PercentEncode(filter));
    return response.status == 200 ? RowKeys(response) : response.outcome();
  }
  static std::string RowKeys(const ParsedResponse& response) {
    std::string rows;
    for (int i = 0;; ++i) {
      const std::string at = "/value/" + std::to_string(i);
      if (response.At(at) == kAbsent) return rows;
      if (i > 0) rows += ' ';
      rows += JsonStringAt(response.body, at + "/RowKey");
    }
  }

  static ParsedResponse ParseResponse(Outcome outcome) {
    ParsedResponse response;
    EXPECT_TRUE(outcome.ok()) << outcome.status().message();
    if (!outcome.ok()) return response;
    response.status = outcome->status;
    response.headers = std::move(outcome->headers);
    response.body = std::move(outcome->body);
    if (response.status >= 400) ReadError(response);
    return response;
  }

 private:
  static void ReadError(ParsedResponse& response) {
    response.code = JsonStringAt(response.body, "/odata.error/code");
    response.message = JsonStringAt(response.body, "/odata.error/message/value");
    if (response.code.empty()) response.code = Between(response.body, "ode>", "</");
    if (response.message.empty()) response.message = Between(response.body, "<m:message", "</");
    response.message.resize(
        std::min(response.message.find("\\nRequestId:"), response.message.size()));
  }
  static std::string Between(const std::string& text, std::string_view begin,
                             std::string_view end) {
    const size_t from = text.find(begin);
    if (from == std::string::npos) return "";
    const size_t first = from + begin.size();
    return text.substr(first, text.find(end, first) - first);
  }
};

class HttpTest : public RawTest {
 protected:
  void SetUp() override {
    ASSERT_NE(TestedService(), Service::kLocal) << "run with --gtest_filter=-Http*";
    RawTest::SetUp();
  }
};

}  // namespace aztables
