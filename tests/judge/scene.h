// Scene: a table service in process, with one account and the clock at a moment that does not pass,
// and the requests that it is asked.
//
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "service/table_service.h"

namespace aztables::judge {

// How a request says who asks.
enum class Credential {
  kSharedKey,
  kWrongKey,
  kSas,    // the query is that of a SAS without its signature, which is computed
  kToken,  // of Microsoft Entra
  kNone,
};

// A request as a test writes it; what every request has is added when it is asked.
struct Question {
  std::string method = "GET";
  std::string url;  // "/T()?$top=2", percent-encoded
  Headers headers;
  std::string body;
  Credential credential = Credential::kSharedKey;
  bool secondary = false;  // asked of account-secondary
};

// Where a request names its account.
enum class Addressing {
  kHost,  // account.table.core.windows.net
  kPath,  // 127.0.0.1:10002/account, as in the emulator
  kNone,  // the service has no accounts, and asks nobody who he is
};

class Scene {
 public:
  Scene(std::string account, int64_t now_ms, Addressing addressing = Addressing::kHost);

  Response Ask(const Question& question);
  // The same, for what stands before a question: the test fails unless it is answered with
  // `status`.
  void Prepare(const Question& question, int status);

  void CreateTable(const std::string& name);
  void DeleteTable(const std::string& name);
  void Insert(const std::string& table, const std::string& entity);

  // "https://account.table.core.windows.net" or the like, in front of every resource.
  std::string BaseUrl() const { return origin_ + base_; }

 private:
  class FixedClock final : public Clock {
   public:
    explicit FixedClock(int64_t now_ms) : now_ms_(now_ms) {}
    int64_t NowMs() const override { return now_ms_; }

   private:
    int64_t now_ms_;
  };
  void Authorize(const Question& question, Request& request) const;

  std::string account_;
  Addressing addressing_;
  std::string origin_;
  std::string base_;  // of the path
  FixedClock clock_;
  std::unique_ptr<TableService> service_;
};

}  // namespace aztables::judge
