// What may be shown of a response: see showable_response.h.
#include "http/showable_response.h"

#include <string>

#include "base/conceal.h"
#include "base/encoding.h"

namespace aztables {
namespace {

constexpr std::string_view kShown[] = {"x-ms-request-id", "x-ms-error-code"};
constexpr size_t kMostShown = 100;
// An error body of a table service has a few hundred bytes.
constexpr size_t kMostOfAnError = size_t{1} << 20;
bool IsJson(const Response& response) {
  return response.status < 300 &&
         ToLowerAscii(response.headers.Get("Content-Type")).starts_with("application/json");
}

}  // namespace

std::string_view SignatureOf(const Request& request) {
  const std::string_view sas = SignatureOfSas(request.credential_query.view());
  if (!sas.empty()) return sas;
  const std::string_view authorization = request.headers.Get("Authorization");
  return authorization.substr(authorization.find(':') + 1);
}

void MakeShowable(Response& response, std::string_view signature) {
  const Concealer concealer(signature);
  for (Headers::Header& header : response.headers.all()) {
    header.value = concealer.Conceal(std::move(header.value));
  }
  if (response.status >= 300 && response.body.size() > kMostOfAnError) {
    response.body.resize(kMostOfAnError);
  }
  if (!IsJson(response)) response.body = concealer.Conceal(std::move(response.body));
  for (const std::string_view name : kShown) {
    if (const std::string* const value = response.headers.Find(name)) {
      response.headers.Set(name, PrintableLine(*value, kMostShown));
    }
  }
}

}  // namespace aztables
