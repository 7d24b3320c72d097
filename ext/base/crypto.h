// Cryptography that the protocol needs. ext/base/crypto.cc is the only user of OpenSSL.
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <string>
#include <string_view>

namespace aztables {

// Initializes OpenSSL so that exit() leaves it alone, unless the host has initialized it before:
// then exit() closes the ExitGate first. Libraries that use OpenSSL are initialized after it. False
// if OpenSSL cannot be initialized.
bool InitCrypto();

// The 32 bytes of HMAC-SHA256; empty only if OpenSSL itself fails, or the process is exiting.
std::string HmacSha256(std::string_view key, std::string_view message);

// Whether two texts are equal, in a time that depends on their sizes alone: for signatures.
bool EqualInConstantTime(std::string_view a, std::string_view b);

// A random (version 4) GUID in lower case: "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".
std::string RandomGuid();

}  // namespace aztables
