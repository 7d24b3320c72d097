// The token endpoint of Microsoft Entra: requests for tokens, and what its refusals mean.
// Source: Microsoft, "OAuth 2.0 client credentials flow", "Microsoft Entra authentication and
// authorization error codes".
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/uri.h"
#include "identity/access_token.h"
#include "identity/token_sender.h"

namespace aztables {

// The fields of a form, in order. Their values may be secrets.
using FormFields = std::vector<std::pair<std::string_view, WipedString>>;

// POST to the token endpoint of a tenant. `who` names the identity for messages.
Result<AccessToken> AskEntra(TokenSender& sender, const Uri& authority, std::string_view tenant,
                             const FormFields& fields, const std::string& who,
                             const Cancel& cancel);

// In plain words what an error of the token endpoint means, by the number of AADSTSnnn; empty if it
// is not known.
std::string_view ExplainEntra(std::string_view number);

}  // namespace aztables
