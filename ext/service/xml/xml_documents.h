// The XML of the Table service: access policies of a table and the properties of the service.
// Source: Microsoft, "Set Table ACL", "Set Table Service Properties"; forms as recorded: responses
// begin with a byte order mark, dates have seven digits, an empty AccessPolicy is left out.
// expat reads it: xml_tree.cc is its only user.
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

// SignedIdentifiers: at most five, each with an Id of at most 64 characters.
Result<std::vector<StoredPolicy>> ReadPolicies(std::string_view xml);
std::string WritePolicies(const std::vector<StoredPolicy>& policies);

// StorageServiceProperties, checked and brought into the form in which it is answered. Sections
// that `xml` leaves out are those of `current`, which has this form or is empty (nothing was set).
Result<std::string> UpdateServiceProperties(std::string_view xml, std::string_view current);
// The properties of a service where nothing was ever set.
std::string DefaultServiceProperties();

// StorageServiceStats of a service without a second region that lags: live, synchronized now.
std::string ServiceStats(int64_t now_ms);

}  // namespace aztables
