// Scene: a table service in process, with one account and a fixed clock. It responds to the
// requests of a test.
//
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "service/table_service.h"

namespace aztables::judge {

// The credential of a request.
enum class SignedBy {
  kSharedKey,
  kWrongKey,
  kSas,    // the query contains a SAS without its signature, which Ask() computes
  kToken,  // a token of Microsoft Entra
  kNone,
};

// A request as a test writes it. Ask() adds the headers that every request has.
struct Question {
  std::string method = "GET";
  std::string url;  // "/T()?$top=2", percent-encoded
  Headers headers;
  std::string body;
  SignedBy credential = SignedBy::kSharedKey;
  bool secondary = false;  // sent to account-secondary
};

// The part of the request that names the account.
enum class Addressing {
  kHost,  // account.table.core.windows.net
  kPath,  // 127.0.0.1:10002/account, as in the emulator
  kNone,  // the service has no accounts and no authentication
};

class Scene {
 public:
  Scene(std::string account, int64_t now_ms, Addressing addressing = Addressing::kHost);

  Response Ask(const Question& question);
  // Sends a request that prepares another one. The test fails if the response does not have
  // `status`.
  void Prepare(const Question& question, int status);

  void CreateTable(const std::string& name);
  void DeleteTable(const std::string& name);
  void Insert(const std::string& table, const std::string& entity);

  // The beginning of every resource's address, such as "https://account.table.core.windows.net".
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
  std::string base_;  // the beginning of the path
  FixedClock clock_;
  std::unique_ptr<TableService> service_;
};

}  // namespace aztables::judge
