// Shapes: expected responses in the form of the live service, and the fixture that compares them.
// Variable parts are placeholders: <etag>, <timestamp>, <guid>, <time>.
//
// Thread rule: one thread.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "judge/scene.h"
#include "judge/verdict.h"

namespace aztables::judge {

inline constexpr const char* kVersion = "2019-02-02";
inline constexpr const char* kBase = "https://shop.table.core.windows.net";
// 2026-11-02T10:00:00Z
inline constexpr int64_t kNowMs = 1793613600000;

// The metadata level as in Content-Type, for example "minimalmetadata".
inline std::string JsonType(const std::string& level) {
  return "application/json;odata=" + level + ";streaming=true;charset=utf-8";
}

// A response of the table service without a body.
inline Response Plain(int status) {
  Response response;
  response.status = status;
  response.headers.Set("Cache-Control", "no-cache");
  response.headers.Set("X-Content-Type-Options", "nosniff");
  response.headers.Set("x-ms-version", kVersion);
  return response;
}

inline Response Json(int status, std::string body, const std::string& level = "minimalmetadata") {
  Response response = Plain(status);
  response.headers.Set("Content-Type", JsonType(level));
  response.body = std::move(body);
  return response;
}

inline std::string ErrorText(const std::string& code, const std::string& message) {
  return R"({"odata.error":{"code":")" + code + R"(","message":{"lang":"en-US","value":")" +
         message + R"(\nRequestId:<guid>\nTime:<time>"}}})";
}
inline Response Error(int status, const std::string& code, const std::string& message) {
  return Json(status, ErrorText(code, message));
}

inline Response Xml(int status, std::string body) {
  Response response;
  response.status = status;
  response.headers.Set("x-ms-version", kVersion);
  if (!body.empty()) response.headers.Set("Content-Type", "application/xml");
  response.body = std::move(body);
  return response;
}

inline Response XmlError(int status, const std::string& code, const std::string& message) {
  Response response =
      Xml(status,
          "<?xml version=\"1.0\" encoding=\"utf-8\"?><m:error "
          "xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\"><m:code>" +
              code + "</m:code><m:message xml:lang=\"en-US\">" + message +
              "\nRequestId:<guid>\nTime:<time></m:message></m:error>");
  response.headers.Set("x-ms-error-code", code);
  return response;
}

// `response` with this header added or replaced.
inline Response And(Response response, const std::string& name, std::string value) {
  response.headers.Set(name, std::move(value));
  return response;
}
inline Response Without(const Response& response, const std::string& name) {
  Response rest{response.status, {}, response.body};
  for (const Headers::Header& header : response.headers.all()) {
    if (header.name != name) rest.headers.Add(header.name, header.value);
  }
  return rest;
}

class ShapesTest : public testing::Test {
 protected:
  static Question Of(std::string method, std::string url, std::string body = "") {
    Question question;
    question.method = std::move(method);
    question.url = std::move(url);
    question.body = std::move(body);
    return question;
  }
  static Question Get(std::string url, const std::string& level = "") {
    Question question = Of("GET", std::move(url));
    if (!level.empty()) question.headers.Set("Accept", "application/json;odata=" + level);
    return question;
  }
  static Question With(Question question, const std::string& name, std::string value) {
    question.headers.Set(name, std::move(value));
    return question;
  }

  Response Check(const Question& question, const Response& right) {
    Response actual = scene_.Ask(question);
    for (const auto& [what, how] : Compare(right, actual)) {
      ADD_FAILURE() << question.method << " " << question.url << " " << question.body << "\n"
                    << what << ": " << how;
    }
    return actual;
  }

  Scene scene_{"shop", kNowMs};
};

}  // namespace aztables::judge
