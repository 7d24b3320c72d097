// BearerCredential: the credential of a connection that uses an identity of Microsoft Entra. It
// keeps the token of the connection, and replaces it before it ends, and once if the service
// refuses it.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <string>

#include "http/credential.h"
#include "identity/token_source.h"

namespace aztables {

// What a person wants to know of a connection's identity.
struct IdentityReport {
  std::string owner;       // of the token, or as far as it is known before one
  int64_t expires_ms = 0;  // of the token, Unix time; 0: there is none yet
};

class BearerCredential : public Credential {
 public:
  virtual IdentityReport Report() const = 0;
};

// `scope` is what the tokens are for.
std::unique_ptr<BearerCredential> MakeBearerCredential(std::unique_ptr<TokenSource> source,
                                                       std::string scope);

}  // namespace aztables
