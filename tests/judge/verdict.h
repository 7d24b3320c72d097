// Verdict: what of a response of the service differs from the response that is right. What cannot
// be the same twice (ids, times, ETags, boundaries) is replaced in both by its name, after its form
// was checked.
//
// Thread rule: free functions; one thread.
#pragma once

#include <map>
#include <string>

#include "http/message.h"

namespace aztables::judge {

// By what differs ("status", "body", "header vary", "length", "form"): what it is and should be.
using Verdict = std::map<std::string, std::string>;

// `entities` > 0: `right` shows only the first of that many entities.
// Headers that are the transport's (Server, Date, Transfer-Encoding, Connection) and the ids of
// requests are not compared; Content-Length has to be the size of the body.
Verdict Compare(const Response& right, const Response& actual, size_t entities = 0);

// A text with everything that varies replaced by its name. What has not the right form is added to
// `faults` and stays as it is.
std::string Replaced(std::string text, std::string& faults);

}  // namespace aztables::judge
