// The XML of the Table service: access policies of a table and the properties of the service.
// Source: Microsoft, "Set Table ACL", "Set Table Service Properties"; forms as recorded: a response
// begins with a byte order mark, dates have seven fractional digits, an empty AccessPolicy is
// omitted.
//
// Errors: storage errors (400 InvalidXmlDocument).
// Thread rule: free functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "service/auth/access.h"

namespace aztables {

// Reads SignedIdentifiers: at most five, each with an Id of at most 64 characters.
Result<std::vector<StoredPolicy>> ReadPolicies(std::string_view xml);
std::string WritePolicies(const std::vector<StoredPolicy>& policies);

// Checks StorageServiceProperties and converts them to the form of the response. Sections that
// `xml` omits are taken from `current`, which has this form or is empty (never set).
Result<std::string> UpdateServiceProperties(std::string_view xml, std::string_view current);
// The properties of a service that were never set.
std::string DefaultServiceProperties();

// StorageServiceStats of a service without replication lag: live, synchronized now.
std::string ServiceStats(int64_t now_ms);

}  // namespace aztables
