// Messages: see message.h.
#include "http/message.h"

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

const std::string* Headers::Find(std::string_view name) const {
  for (const Header& header : all_) {
    if (EqualsIgnoreCase(header.name, name)) return &header.value;
  }
  return nullptr;
}

std::string_view Headers::Get(std::string_view name) const {
  const std::string* value = Find(name);
  return value ? std::string_view(*value) : std::string_view();
}

void Headers::Set(std::string_view name, std::string value) {
  std::erase_if(all_, [&](const Header& header) { return EqualsIgnoreCase(header.name, name); });
  all_.push_back({std::string(name), std::move(value)});
}

void Headers::Add(std::string name, std::string value) {
  all_.push_back({std::move(name), std::move(value)});
}

std::string_view SignatureOf(const Request& request) {
  const std::string_view sas = SignatureOfSas(request.credential_query.view());
  if (!sas.empty()) return sas;
  const std::string_view authorization = request.headers.Get("Authorization");
  constexpr std::string_view kBearer = "Bearer ";
  if (authorization.starts_with(kBearer)) return authorization.substr(kBearer.size());
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
