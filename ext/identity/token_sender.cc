// Requests for tokens: see token_sender.h.
#include "identity/token_sender.h"

#include <optional>

#include "base/secret.h"
#include "http/pipeline.h"

namespace aztables {

namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

constexpr int kMostAttempts = 4;
constexpr int kMostWhileUpdated = 7;  // in 63 s
constexpr milliseconds kFirstDelay{1000};

// How long to wait before the next attempt; nothing if the outcome is final.
std::optional<milliseconds> Delay(const Outcome& outcome, TokenSender::Server server, int attempts,
                                  int64_t now_ms) {
  const bool updated = server == TokenSender::Server::kHost && outcome.ok() &&
                       (outcome->status == 404 || outcome->status == 410);
  if (attempts >= (updated ? kMostWhileUpdated : kMostAttempts)) return std::nullopt;
  if (!outcome.ok() && outcome.status().code() != Code::kBusy) return std::nullopt;
  if (outcome.ok() && !updated && !IsTransient(outcome->status)) return std::nullopt;
  if (outcome.ok()) {
    if (const auto told = RetryAfter(*outcome, now_ms)) return told;
  }
  return kFirstDelay * (1 << (attempts - 1));
}

}  // namespace

Outcome TokenSender::SendOnce(Request& request, const Cancel& cancel) {
  const auto call = transport_->Start(request);
  while (!call->Done()) {
    AZTABLES_RETURN_IF_ERROR(call->Work(cancel, SteadyClock::now() + Cancel::kSlice));
    AZTABLES_RETURN_IF_ERROR(cancel.Check());
  }
  return call->Take();
}

Outcome TokenSender::Send(Request request, const Cancel& cancel, Server server) {
  struct Wiper {  // the body may hold a secret
    std::string& text;
    ~Wiper() { WipeString(text); }
  } const wiper{request.body};
  request.ca_file = ca_file_;
  request.timeout = std::chrono::seconds(30);
  request.waits = true;
  request.label.connection = connection_;
  request.label.kind = "token";
  RequestRecord& record = log_->Add();
  const int64_t log_id = record.id;
  record.time_ms = clock_->NowMs();
  record.label = request.label;
  record.method = request.method;
  record.url = request.origin + request.path;
  record.error = "abandoned before a response arrived";
  const auto began = SteadyClock::now();
  for (int attempts = 1;; ++attempts) {
    Outcome outcome = SendOnce(request, cancel);
    AZTABLES_RETURN_IF_ERROR(cancel.Check());
    const std::chrono::duration<double, std::milli> ms = SteadyClock::now() - began;
    LogEnd(log_id, attempts, request, outcome, ms.count());
    const auto delay = Delay(outcome, server, attempts, clock_->NowMs());
    if (!delay) return outcome;
    AZTABLES_RETURN_IF_ERROR(cancel.Wait(*delay));
  }
}

void TokenSender::LogEnd(int64_t log_id, int attempts, const Request& request,
                         const Outcome& outcome, double ms) {
  RequestRecord* const record = log_->Find(log_id);
  if (record == nullptr) return;
  record->attempts = attempts;
  record->ms = ms;
  record->status = outcome.ok() ? outcome->status : 0;
  record->error = outcome.status().message();
  record->bytes_out += static_cast<int64_t>(request.body.size());
  if (outcome.ok()) record->bytes_in += static_cast<int64_t>(outcome->body.size());
}

}  // namespace aztables
