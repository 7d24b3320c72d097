// Verdict: the differences of a response from the right response. Variable values (ids, times,
// ETags, boundaries) are checked for their form. Placeholders replace them in both responses.
//
// Thread rule: free functions; one thread.
#pragma once

#include <map>
#include <string>

#include "http/message.h"

namespace aztables::judge {

// The key is what differs ("status", "body", "header vary", "length", "form"). The value shows the
// actual and the right content.
using Verdict = std::map<std::string, std::string>;

// If `entities` > 0, `right` contains only the first entities of that many.
// Does not compare headers of the transport (Server, Date, Transfer-Encoding, Connection) and
// request ids. Content-Length must be the size of the body.
Verdict Compare(const Response& right, const Response& actual, size_t entities = 0);

// Replaces all variable values by placeholders. A value in a wrong form stays, and is added to
// `faults`.
std::string Replaced(std::string text, std::string& faults);

}  // namespace aztables::judge
