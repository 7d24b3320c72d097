// Scenes: see scene.h.
#include "judge/scene.h"

#include <gtest/gtest.h>

#include "auth/connection_settings.h"
#include "base/crypto.h"
#include "base/encoding.h"
#include "service/query_options.h"

namespace aztables::judge {
namespace {

constexpr std::string_view kKey = "the key of this test";
constexpr std::string_view kOtherKey = "the key of no account";

std::string Sign(std::string_view text, std::string_view key = kKey) {
  return Base64Encode(*HmacSha256(key, text));
}

// The signed fields of a SAS with a version from 2018-11-09 to before 2020-12-06. Source:
// Microsoft, "Create an account SAS", "Create a service SAS".
std::string SasText(const QueryOptions& options, const std::string& account) {
  std::string text;
  const auto line = [&](const std::string& name) { text.append(options.Get(name)).append("\n"); };
  if (options.Find("tn") == nullptr) {
    text = account + "\n";
    for (const char* name : {"sp", "ss", "srt", "st", "se", "sip", "spr", "sv"}) line(name);
    return text;
  }
  for (const char* name : {"sp", "st", "se"}) line(name);
  text += "/table/" + account + "/" + ToLowerAscii(options.Get("tn")) + "\n";
  for (const char* name : {"si", "sip", "spr", "sv", "spk", "srk", "epk", "erk"}) line(name);
  text.pop_back();
  return text;
}

}  // namespace

Scene::Scene(std::string account, int64_t now_ms, Addressing addressing)
    : account_(std::move(account)), addressing_(addressing), clock_(now_ms) {
  const bool in_host = addressing == Addressing::kHost;
  origin_ = in_host ? "https://" + account_ + ".table.core.windows.net" : "http://127.0.0.1:10002";
  if (addressing == Addressing::kPath) base_ = "/" + account_;
  ServiceOptions options;
  options.store = ":memory:";
  options.create = true;
  if (addressing != Addressing::kNone) {
    options.accounts[account_].emplace_back(std::string(kKey));
  }
  options.clock = &clock_;
  auto service = TableService::Open(std::move(options));
  EXPECT_TRUE(service.ok()) << service.status().message();
  if (service.ok()) service_ = std::move(*service);
}

void Scene::Authorize(const Question& question, Request& request) const {
  const QueryOptions options(request.query);
  switch (question.credential) {
    case SignedBy::kSharedKey:
    case SignedBy::kWrongKey: {
      const std::string date = HttpDate(clock_.NowMs());
      const std::string* const comp = options.Find("comp");
      const std::string text = SharedKeyLiteStringToSign(date, account_, request.path,
                                                         comp == nullptr ? "" : "comp=" + *comp);
      const bool right = question.credential == SignedBy::kSharedKey;
      request.headers.Set("x-ms-date", date);
      request.headers.Set("Authorization",
                          "SharedKeyLite " + account_ + ":" + Sign(text, right ? kKey : kOtherKey));
      return;
    }
    case SignedBy::kSas:
      request.query += "&sig=" + PercentEncode(Sign(SasText(options, account_)));
      return;
    case SignedBy::kToken:
      request.headers.Set("Authorization", "Bearer eyJhbGciOiJub25lIn0.e30.");
      return;
    case SignedBy::kNone:
      return;
  }
}

Response Scene::Ask(const Question& question) {
  Request request;
  request.method = question.method;
  request.origin = origin_;
  const size_t mark = question.url.find('?');
  request.path = base_ + question.url.substr(0, mark);
  if (mark != std::string::npos) request.query = question.url.substr(mark + 1);
  request.headers = question.headers;
  std::string host = origin_.substr(origin_.find("://") + 3);
  if (question.secondary) host.insert(account_.size(), "-secondary");
  request.headers.Set("Host", std::move(host));
  request.body = question.body;
  if (addressing_ != Addressing::kNone) Authorize(question, request);
  Peer peer;
  peer.https = true;
  return service_ ? service_->Handle(request, peer, Cancel()) : Response();
}

void Scene::Prepare(const Question& question, int status) {
  const Response response = Ask(question);
  EXPECT_EQ(response.status, status) << question.method << " " << question.url << "\n"
                                     << question.body << "\n"
                                     << response.body;
}

void Scene::CreateTable(const std::string& name) {
  Question question;
  question.method = "POST";
  question.url = "/Tables";
  question.body = R"({"TableName":")" + name + R"("})";
  Prepare(question, 201);
}

void Scene::DeleteTable(const std::string& name) {
  Question question;
  question.method = "DELETE";
  question.url = "/Tables('" + name + "')";
  Prepare(question, 204);
}

void Scene::Insert(const std::string& table, const std::string& entity) {
  Question question;
  question.method = "POST";
  question.url = "/" + table;
  question.body = entity;
  Prepare(question, 201);
}

}  // namespace aztables::judge
