// A request to the embedded service for tests of authentication: one account with the emulator's
// published key, a fixed time, and comparable outcomes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/crypto.h"
#include "base/encoding.h"
#include "service/auth/access.h"

namespace aztables {

inline constexpr std::string_view kTestAccount = "devstoreaccount1";
inline constexpr std::string_view kTestKey =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
inline constexpr const char* kTestDate = "Mon, 02 Nov 2026 10:00:00 GMT";
inline constexpr int64_t kTestNowMs = 1793613600000;  // the same instant

inline std::string DecodedKey() {
  std::string key;
  Base64Decode(kTestKey, key);
  return key;
}

// A client's signature of `text`.
inline std::string Signature(std::string_view text) {
  return Base64Encode(*HmacSha256(DecodedKey(), text));
}

class AccessRequest {
 public:
  AccessRequest() {
    request.method = "GET";
    request.path = "/devstoreaccount1/Tables";
    keys[std::string(kTestAccount)].emplace_back(DecodedKey());
    keys["empty"];
    input.account = kTestAccount;
    input.now_ms = kTestNowMs;
  }

  Result<Access> Send() {
    input.request = &request;
    options = QueryOptions(OptionList(query.begin(), query.end()));
    input.query = &options;
    input.keys = &keys;
    return Authenticate(input);
  }
  // The code of the error, or "OK".
  std::string Outcome() {
    const auto access = Send();
    return access.ok() ? "OK" : access.status().failure().code;
  }

  // Replaces an option of the query.
  void Option(const std::string& name, std::string value) {
    query.erase(name);
    query.emplace(name, std::move(value));
  }
  void Sign(std::string_view text) { Option("sig", Signature(text)); }

  Request request;
  std::multimap<std::string, std::string> query;
  QueryOptions options;  // of `query`
  AccountKeys keys;
  AuthenticationInput input;
};

inline std::string ErrorCodeOf(const Status& status) {
  return status.ok() ? "OK" : status.failure().code;
}

}  // namespace aztables
