// Ready tokens: see given_token.h.
#include "identity/given_token.h"

#include "base/encoding.h"
#include "platform/file.h"

namespace aztables {
namespace {

constexpr std::string_view kVariable = "env:";
constexpr std::string_view kFile = "file:";
constexpr size_t kMost = 64 * 1024;
// If a token does not say when it ends: the service refuses it then, and it is read again.
constexpr std::chrono::seconds kUnknownLife{300};

class GivenTokenSource final : public TokenSource {
 public:
  GivenTokenSource(const IdentitySettings& settings, const Environment& environment,
                   const Clock& clock)
      : source_(settings.token_source), environment_(environment), clock_(clock) {}

  std::string Describe() const override { return "the token of " + source_; }

  Result<AccessToken> Get(const TokenDemand&, const Cancel&) override {
    auto text = Read();
    if (!text.ok()) return text.status();
    const std::string_view token = TrimBlanks(*text);
    auto made = Check(token);
    WipeString(*text);
    return made;
  }

 private:
  Result<std::string> Read() const {
    if (source_.starts_with(kVariable)) {
      auto text = environment_(source_.substr(kVariable.size()));
      if (text) return std::move(*text);
      return Status(Code::kAuth, Describe() + " is missing: the variable is not set");
    }
    auto text = ReadOrdinaryFile(source_.substr(kFile.size()), kMost);
    if (text.ok()) return text;
    return Status(Code::kAuth, Describe() + " " + std::string(text.status().message()));
  }

  Result<AccessToken> Check(std::string_view token) const {
    if (!IsTokenText(token)) {
      return Status(Code::kAuth, Describe() + " is not a token: it is empty, or has a character " +
                                     "that no token has");
    }
    const int64_t expires_s = ClaimsOf(token).expires_s;
    if (expires_s == 0) return MakeToken(token, kUnknownLife, clock_);
    const int64_t left_s = expires_s - clock_.NowMs() / 1000;
    if (left_s > 0) return MakeToken(token, std::chrono::seconds(left_s), clock_);
    return Status(Code::kAuth, Describe() + " has expired " + std::to_string(-left_s) +
                                   " s ago: replace it and run the statement again");
  }

  const std::string source_;
  const Environment& environment_;
  const Clock& clock_;
};

}  // namespace

std::unique_ptr<TokenSource> MakeGivenTokenSource(const IdentitySettings& settings,
                                                  const Environment& environment,
                                                  const Clock& clock) {
  return std::make_unique<GivenTokenSource>(settings, environment, clock);
}

}  // namespace aztables
