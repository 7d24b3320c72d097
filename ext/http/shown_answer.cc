// What of an answer may be shown: see shown_answer.h.
#include "shown_answer.h"

#include <string>

#include "aztables/base/encoding.h"

namespace aztables {
namespace {

constexpr std::string_view kShown[] = {"x-ms-request-id", "x-ms-error-code"};
constexpr size_t kMostShown = 100;
// One that is shorter is none, and may stand in any text.
constexpr size_t kShortestSignature = 8;

std::string LowerHex(std::string text) {
  for (size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 1)) {
    for (size_t i = at + 1; i < text.size() && i < at + 3; ++i) text[i] = ToLowerAscii(text[i]);
  }
  return text;
}

void Conceal(std::string& text, std::string_view what) {
  constexpr std::string_view kInstead = "...";
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), kInstead);
    at += kInstead.size();
  }
}

bool IsJson(const Response& response) {
  return response.status < 300 &&
         ToLowerAscii(response.headers.Get("Content-Type")).starts_with("application/json");
}

}  // namespace

std::string_view SignatureOf(const Request& request) {
  std::string_view query = request.credential_query;
  while (!query.empty()) {
    const size_t end = query.find('&');
    constexpr std::string_view kName = "sig=";
    if (query.starts_with(kName)) return query.substr(0, end).substr(kName.size());
    query.remove_prefix(end == std::string_view::npos ? query.size() : end + 1);
  }
  const std::string_view authorization = request.headers.Get("Authorization");
  return authorization.substr(authorization.find(':') + 1);
}

void MakeShowable(Response& response, std::string_view signature) {
  if (signature.size() >= kShortestSignature) {
    const std::string plain = PercentDecode(signature);
    const std::string encoded = PercentEncode(plain);
    const std::string forms[] = {std::string(signature), plain, encoded, LowerHex(encoded)};
    for (const std::string& form : forms) {
      for (Headers::Header& header : response.headers.all()) Conceal(header.value, form);
      if (!IsJson(response)) Conceal(response.body, form);
    }
  }
  for (const std::string_view name : kShown) {
    if (const std::string* const value = response.headers.Find(name)) {
      response.headers.Set(name, PrintableLine(*value, kMostShown));
    }
  }
}

}  // namespace aztables
