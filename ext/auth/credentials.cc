// Credentials: SharedKeyLite and SAS. Source: Microsoft, "Authorize with Shared Key". The Table
// service signs only the date of the x-ms-* headers, and only "comp" of the query.
#include "auth/connection_settings.h"
#include "base/conceal.h"
#include "base/crypto.h"
#include "base/encoding.h"

namespace aztables {
namespace {

class SharedKeyLiteCredential final : public Credential {
 public:
  explicit SharedKeyLiteCredential(const ConnectionSettings& settings) : settings_(settings) {}
  ~SharedKeyLiteCredential() override { WipeString(recent_); }
  SharedKeyLiteCredential(const SharedKeyLiteCredential&) = delete;
  SharedKeyLiteCredential& operator=(const SharedKeyLiteCredential&) = delete;

  Status Sign(Request& request) override {
    const std::string text = SharedKeyLiteStringToSign(
        request.headers.Get("x-ms-date"), settings_.account, request.path, request.query);
    const auto digest = HmacSha256(settings_.key.Reveal(), text);
    if (!digest.ok()) return digest.status().In("the request cannot be signed");
    const std::string signature = Base64Encode(*digest);
    request.headers.Set("Authorization", "SharedKeyLite " + settings_.account + ":" + signature);
    recent_.replace(oldest_, signature.size(), signature);
    oldest_ = (oldest_ + kSignature) % recent_.size();
    return {};
  }
  std::string_view Signatures() const override { return recent_; }

 private:
  static constexpr size_t kSignature = 44;    // base64 of 32 bytes
  static constexpr size_t kRemembered = 256;  // more than the requests under way

  const ConnectionSettings& settings_;
  // A ring of signatures: each new one replaces the oldest.
  std::string recent_ = std::string(kRemembered * kSignature, ' ');
  size_t oldest_ = 0;
};

class SasCredential final : public Credential {
 public:
  explicit SasCredential(const ConnectionSettings& settings) : settings_(settings) {}

  Status Sign(Request& request) override {
    request.credential_query = settings_.key.Reveal();
    return {};
  }
  std::string_view Signatures() const override { return SignatureOfSas(settings_.key.Reveal()); }

 private:
  const ConnectionSettings& settings_;
};

// The value of the query option "comp", percent-encoded as in the query; empty if there is none.
std::string_view CompOption(std::string_view query) {
  while (!query.empty()) {
    const std::string_view option = TakeUntil(query, '&');
    if (option.starts_with("comp=")) return option;
  }
  return {};
}

}  // namespace

std::string SharedKeyLiteStringToSign(std::string_view date, std::string_view account,
                                      std::string_view path, std::string_view query) {
  std::string text(date);
  text += "\n/";
  text += account;
  text += path.empty() ? "/" : path;
  if (const std::string_view comp = CompOption(query); !comp.empty()) {
    text += '?';
    text += comp;
  }
  return text;
}

std::unique_ptr<Credential> MakeCredential(const ConnectionSettings& settings) {
  if (settings.credential == CredentialKind::kNone) return nullptr;
  if (settings.credential == CredentialKind::kIdentity) return nullptr;
  if (settings.credential == CredentialKind::kSas) return std::make_unique<SasCredential>(settings);
  return std::make_unique<SharedKeyLiteCredential>(settings);
}

}  // namespace aztables
