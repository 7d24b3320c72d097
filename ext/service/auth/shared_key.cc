// Shared Key: see credentials.h. Shared Key Lite signs the string that clients use for tables; the
// full form puts three lines before it.
#include <string>

#include "auth/connection_settings.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "base/encoding.h"
#include "service/auth/credentials.h"
#include "service/storage_error.h"

namespace aztables {
namespace {

constexpr int64_t kMaxSkewMs = 15 * 60 * 1000;

bool IsRecent(std::string_view date, int64_t now_ms) {
  const auto sent = ParseHttpDate(date);
  return sent && *sent >= now_ms - kMaxSkewMs && *sent <= now_ms + kMaxSkewMs;
}

}  // namespace

Status CheckSignature(std::string_view signature, std::string_view text,
                      const std::vector<Secret>& keys) {
  bool found = false;
  for (const Secret& key : keys) {
    const auto digest = HmacSha256(key.Reveal(), text);
    if (!digest.ok()) return ToStatus(errors::kOutOfMemory);  // it worked when the service began
    // Compared as text: two base64 texts may decode to the same bytes.
    found |= EqualInConstantTime(Base64Encode(*digest), signature);
  }
  return found ? Status() : ToStatus(errors::kAuthenticationFailed);
}

Status CheckSharedKey(const AuthenticationInput& input, std::string_view authorization,
                      const std::vector<Secret>& keys) {
  const Request& request = *input.request;
  const std::string_view scheme = TakeUntil(authorization, ' ');
  const std::string_view account = TakeUntil(authorization, ':');
  const bool full = EqualsIgnoreCase(scheme, "SharedKey");
  const Headers& headers = request.headers;
  const std::string* ms_date = headers.Find("x-ms-date");
  const std::string_view date = ms_date ? *ms_date : headers.Get("Date");
  // Several "comp" options would be ambiguous, so none of them is signed.
  if ((!full && !EqualsIgnoreCase(scheme, "SharedKeyLite")) || account != input.account ||
      input.query->Count("comp") > 1 || !IsRecent(date, input.now_ms)) {
    return ToStatus(errors::kAuthenticationFailed);
  }
  std::string text;
  if (full) {
    text = request.method + '\n';
    text.append(headers.Get("Content-MD5")).append("\n");
    text.append(headers.Get("Content-Type")).append("\n");
  }
  const std::string* comp = input.query->Find("comp");
  text += SharedKeyLiteStringToSign(date, account, request.path, comp ? "comp=" + *comp : "");
  return CheckSignature(authorization, text, keys);
}

}  // namespace aztables
