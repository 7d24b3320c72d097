// The credential of an identity: see bearer_credential.h.
#include "identity/bearer_credential.h"

#include <optional>

#include "base/encoding.h"

namespace aztables {
namespace {

using SteadyClock = std::chrono::steady_clock;

// The tenant in "Bearer authorization_uri=https://login.microsoftonline.com/TENANT/oauth2/authorize
// resource_id=...". Empty if it is not the id of one. The values may be in quotes.
std::string TenantOf(std::string_view challenge) {
  constexpr std::string_view kKey = "authorization_uri=";
  const size_t at = challenge.find(kKey);
  if (at == std::string_view::npos) return {};
  challenge.remove_prefix(at + kKey.size());
  if (challenge.starts_with('"')) challenge.remove_prefix(1);
  challenge = challenge.substr(0, challenge.find_first_of(" ,\""));
  const size_t host = challenge.find("://");
  if (host == std::string_view::npos) return {};
  challenge.remove_prefix(host + 3);
  TakeUntil(challenge, '/');
  const std::string_view tenant = TakeUntil(challenge, '/');
  constexpr size_t kGuid = 36;
  const bool is_id = tenant.size() == kGuid &&
                     tenant.find_first_not_of("0123456789abcdefABCDEF-") == std::string_view::npos;
  return is_id ? std::string(tenant) : std::string();
}

class TokenCredential final : public BearerCredential {
 public:
  TokenCredential(std::unique_ptr<TokenSource> source, std::string scope)
      : source_(std::move(source)), demand_{.scope = std::move(scope), .tenant = {}} {}

  bool IsReady() const override { return token_ && SteadyClock::now() < token_->refresh; }

  // A token that is still good is used on if no new one can be had: it is asked for again later.
  Status MakeReady(const Cancel& cancel) override {
    constexpr std::chrono::seconds kPause{30};
    constexpr std::chrono::seconds kTooLate{10};
    auto token = source_->Get(demand_, cancel);
    if (token.ok()) {
      token_ = std::move(*token);
      return {};
    }
    AZTABLES_RETURN_IF_ERROR(cancel.Check());
    const auto now = SteadyClock::now();
    if (!token_ || now + kTooLate >= token_->expires) {
      Failure failure = token.status().failure();
      failure.sign_in = true;
      // To other layers, kNotFound means that a table is missing.
      const bool missing = token.status().code() == Code::kNotFound;
      return {missing ? Code::kAuth : token.status().code(), std::move(failure)};
    }
    token_->refresh = std::min(now + kPause, token_->expires - kTooLate);
    return {};
  }

  Status Sign(Request& request) override {
    std::string header;
    header.reserve(token_->text.view().size() + 8);
    header.append("Bearer ").append(token_->text.view());
    request.headers.Set("Authorization", std::move(header));
    return {};
  }

  // The service may refuse a token before its end. A new one is asked for, of the account's tenant.
  bool OnUnauthorized(const Response& response) override {
    token_.reset();
    demand_.tenant = TenantOf(response.headers.Get("WWW-Authenticate"));
    return true;
  }

  std::string_view Signatures() const override {
    return token_ ? token_->text.view() : std::string_view();
  }

  std::string Identity() const override { return Report().owner; }

  IdentityReport Report() const override {
    if (!token_) return {.owner = source_->Describe()};
    return {.owner = DescribeOwner(ClaimsOf(token_->text.view())),
            .expires_ms = token_->expires_ms};
  }

 private:
  std::unique_ptr<TokenSource> source_;
  TokenDemand demand_;
  std::optional<AccessToken> token_;
};

}  // namespace

std::unique_ptr<BearerCredential> MakeBearerCredential(std::unique_ptr<TokenSource> source,
                                                       std::string scope) {
  return std::make_unique<TokenCredential>(std::move(source), std::move(scope));
}

}  // namespace aztables
