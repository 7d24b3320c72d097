// Cryptography that the protocol needs. ext/base/crypto.cc is the only user of OpenSSL.
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace aztables {

// Initializes OpenSSL so that exit() does not clean it up. If the host has initialized OpenSSL
// before, exit() closes the ExitGate first. Libraries that use OpenSSL are initialized after this
// call. False if OpenSSL cannot be initialized.
bool InitCrypto();

// For a context of OpenSSL's TLS (SSL_CTX*): lets its connections receive many records at once. By
// default each record takes two system calls.
void EnableTlsReadAhead(void* context);
// Whether a TLS connection (SSL*) may hold received records: its last step did not end because it
// lacked one.
bool MayHoldTlsRecords(const void* connection);

// The 32 bytes of HMAC-SHA256. An error if OpenSSL fails or the process is exiting.
Result<std::string> HmacSha256(std::string_view key, std::string_view message);

// The 16 bytes of a hash of the text by AES-GMAC with a fixed key: the same in every process, and
// faster than HmacSha256(). It distinguishes texts, but protects nothing. Errors: as HmacSha256().
Result<std::string> Fingerprint(std::string_view text);

// Whether two texts are equal. The time depends only on their sizes, so it is safe for signatures.
bool EqualInConstantTime(std::string_view a, std::string_view b);

// A random (version 4) GUID in lower case: "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".
std::string RandomGuid();

// GUIDs in that form for many requests: the first one is random, and each one follows the last. So
// only the first one costs a system call.
class GuidSequence {
 public:
  GuidSequence();
  std::string Next();

 private:
  std::array<uint8_t, 8> begin_{};  // of all GUIDs
  std::atomic<uint64_t> next_;      // the rest
};

}  // namespace aztables
