// Cryptography on OpenSSL: see crypto.h.
#include "base/crypto.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>

#include "base/exit_gate.h"

namespace aztables {

bool InitCrypto() {
  static const bool ready = OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr) == 1;
  static const ExitGate::CloseAtExit closes_before_openssl;
  return ready;
}

void EnableTlsReadAhead(void* context) {
  constexpr size_t kReadAhead = 128 * 1024;
  auto* const tls = static_cast<SSL_CTX*>(context);
  SSL_CTX_set_read_ahead(tls, 1);
  // libcurl sets this mode, which frees the memory after each record.
  SSL_CTX_clear_mode(tls, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_default_read_buffer_len(tls, kReadAhead);
}

bool MayHoldTlsRecords(const void* connection) {
  const auto* const tls = static_cast<const SSL*>(connection);
  return SSL_is_init_finished(tls) != 0 && SSL_want_read(tls) == 0;
}

namespace {

Status Exiting() { return Status::Error("the process is exiting"); }

Status Failed(const char* algorithm) {
  return Status::Error(
      std::string("OpenSSL cannot compute ") + algorithm +
      "; check its configuration (OPENSSL_CONF), which may load no provider for it");
}

}  // namespace

Result<std::string> HmacSha256(std::string_view key, std::string_view message) {
  const ExitGate::Use use;
  if (!use.allowed()) return Exiting();
  if (!InitCrypto()) return Failed("HMAC-SHA256");
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (key.data() == nullptr) key = "";  // to OpenSSL null means "no key", not an empty key
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(message.data()), message.size(), digest.data(),
           &size) == nullptr) {
    return Failed("HMAC-SHA256");
  }
  return std::string(reinterpret_cast<const char*>(digest.data()), size);
}

Result<std::string> Fingerprint(std::string_view text) {
  const ExitGate::Use use;
  if (!use.allowed()) return Exiting();
  if (!InitCrypto()) return Failed("AES-GMAC");
  constexpr std::string_view kKey = "sqlite-aztables: a fingerprint.";
  static_assert(kKey.size() + 1 == 32);
  std::array<unsigned char, 12> nonce{};
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, nonce.data(), nonce.size()),
      OSSL_PARAM_construct_end()};
  std::array<unsigned char, 16> hash{};
  size_t size = 0;
  if (EVP_Q_mac(nullptr, OSSL_MAC_NAME_GMAC, nullptr, "AES-256-GCM", parameters, kKey.data(),
                kKey.size() + 1, reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                hash.data(), hash.size(), &size) == nullptr) {
    return Failed("AES-GMAC");
  }
  return std::string(reinterpret_cast<const char*>(hash.data()), size);
}

bool EqualInConstantTime(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

namespace {

using GuidBytes = std::array<uint8_t, 16>;

GuidBytes RandomBytes() {
  GuidBytes bytes{};
  // From the system: OpenSSL's generator no longer works in a process that is exiting.
  if (getentropy(bytes.data(), bytes.size()) != 0) {
    std::random_device device;  // a GUID only has to be unique; it protects nothing
    for (auto& byte : bytes) byte = static_cast<uint8_t>(device());
  }
  return bytes;
}

std::string GuidText(GuidBytes bytes) {
  bytes[6] = static_cast<uint8_t>((bytes[6] & 0x0F) | 0x40);
  bytes[8] = static_cast<uint8_t>((bytes[8] & 0x3F) | 0x80);
  constexpr std::string_view kLowerHex = "0123456789abcdef";
  std::string guid(36, '-');
  char* out = guid.data();
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) ++out;
    *out++ = kLowerHex[bytes[i] >> 4];
    *out++ = kLowerHex[bytes[i] & 15];
  }
  return guid;
}

}  // namespace

std::string RandomGuid() { return GuidText(RandomBytes()); }

GuidSequence::GuidSequence() {
  const GuidBytes bytes = RandomBytes();
  std::copy_n(bytes.begin(), begin_.size(), begin_.begin());
  uint64_t rest = 0;
  std::memcpy(&rest, bytes.data() + begin_.size(), sizeof rest);
  next_ = rest;
}

std::string GuidSequence::Next() {
  uint64_t rest = next_.fetch_add(1, std::memory_order_relaxed);
  GuidBytes bytes{};
  std::copy(begin_.begin(), begin_.end(), bytes.begin());
  for (size_t i = bytes.size(); i > begin_.size(); --i, rest >>= 8) {
    bytes[i - 1] = static_cast<uint8_t>(rest);
  }
  return GuidText(bytes);
}

}  // namespace aztables
