// The token endpoint of Microsoft Entra: see entra.h.
#include "identity/entra.h"

#include <array>

#include "base/conceal.h"
#include "base/encoding.h"
#include "http/pipeline.h"
#include "odata/json_object.h"

namespace aztables {
namespace {

struct Explanation {
  std::string_view numbers;  // separated by blanks
  std::string_view words;
};
constexpr auto kExplanations = std::to_array<Explanation>({
    {"7000215", "the secret is wrong; often its id was copied instead of its value"},
    {"7000222", "the secret has expired: make a new one"},
    {"700016 700011",
     "the tenant has no application with this client id: check TenantId and ClientId"},
    {"90002", "there is no such tenant in this cloud: check TenantId and Authority"},
    {"900382 900432 90038", "the tenant belongs to another cloud: give its Authority"},
    {"700027", "the certificate is not one of this application: upload it, or use its own key"},
    {"700213 700211 700212",
     "no federated credential of the application has the subject, issuer and audience of the "
     "token: compare the exact texts"},
    {"700024 500133",
     "the assertion is outside of its time: the clock is wrong, or the token file is old"},
    {"7000218", "the application needs a secret, or does not allow public client flows"},
    {"700025", "the application is public and takes no secret"},
    {"500011 50001 650057", "the tenant does not know the resource: check Scope"},
    {"70011 28002", "the scope is not valid: it ends with /.default"},
    {"65001 65002 90094", "nobody has consented to this use: an administrator must"},
    {"50076 50079 50074 50072 50078", "more than a password is needed: sign in again"},
    {"53003 53000 530032 530035", "a Conditional Access policy of the tenant blocks this sign-in"},
    {"50173 700082 70008 70043", "the sign-in has expired: sign in again"},
    {"50020 50034 16000", "the account is not in this tenant: give its TenantId"},
});

// "7000215" of "AADSTS7000215: Invalid client secret provided. ...".
std::string_view NumberIn(std::string_view description) {
  constexpr std::string_view kBegin = "AADSTS";
  const size_t at = description.find(kBegin);
  if (at == std::string_view::npos) return {};
  description.remove_prefix(at + kBegin.size());
  return description.substr(0, description.find_first_not_of("0123456789"));
}

std::string FormOf(const FormFields& fields) {
  std::string form;
  size_t size = 0;
  for (const auto& [name, value] : fields) size += name.size() + 3 * value.view().size() + 2;
  form.reserve(size);  // at once: growing would leave a copy of a secret
  for (const auto& [name, value] : fields) {
    if (!form.empty()) form += '&';
    form.append(name).append("=");
    AppendPercentEncoded(form, value.view());
  }
  return form;
}

Status Refused(const Response& response, const FormFields& fields, std::string_view who) {
  constexpr size_t kMostOfText = 300;
  const auto body = JsonObject::Read(response.body);
  const auto text = [&](std::string_view name) {
    std::string shown = PrintableLine(body.ok() ? body->Get(name) : "", kMostOfText);
    for (const auto& [field, value] : fields) {  // a server may repeat what it was sent
      const bool secret = field == "client_secret" || field == "client_assertion";
      if (secret) shown = Conceal(std::move(shown), value.view());
    }
    return shown;
  };
  Failure failure;
  failure.has_response = true;
  failure.http_status = response.status;
  failure.message = text("error_description");
  const std::string_view number = NumberIn(failure.message);
  const std::string_view words = ExplainEntra(number);
  failure.code = number.empty() ? text("error") : "AADSTS" + std::string(number);
  failure.request_id = text("correlation_id");
  if (IsTransient(response.status)) {
    failure.cause = "the sign-in as " + std::string(who) +
                    " failed: the sign-in server is busy; try again later";
    return {Code::kBusy, std::move(failure)};
  }
  failure.cause = "the sign-in as " + std::string(who) + " was refused";
  if (!words.empty()) {
    failure.cause += ": " + std::string(words);
  } else if (!failure.message.empty()) {
    failure.cause += ": " + failure.message;
  } else {
    failure.cause += "; the response is not one of Microsoft Entra: check Authority";
  }
  return {Code::kAuth, std::move(failure)};
}

Result<AccessToken> TokenIn(const Response& response, const Clock& clock, std::string_view who) {
  const auto body = JsonObject::Read(response.body);
  if (!body.ok() && body.status().code() == Code::kNoMemory) return body.status();
  const std::string_view text = body.ok() ? body->Get("access_token") : std::string_view();
  auto seconds = ParseInteger(body.ok() ? body->Get("expires_in") : "");
  if (!IsTokenText(text) || !seconds || *seconds <= 0) {
    return Status(Code::kAuth, "the response to the sign-in as " + std::string(who) +
                                   " has no token: check Authority");
  }
  return MakeToken(text, std::chrono::seconds(*seconds), clock);
}

}  // namespace

std::string_view ExplainEntra(std::string_view number) {
  for (const auto& [numbers, words] : kExplanations) {
    std::string_view rest = numbers;
    while (!rest.empty()) {
      if (TakeUntil(rest, ' ') == number) return words;
    }
  }
  return {};
}

Result<AccessToken> AskEntra(TokenSender& sender, const Uri& authority, std::string_view tenant,
                             const FormFields& fields, const std::string& who,
                             const Cancel& cancel) {
  Request request;
  request.method = "POST";
  request.origin = authority.Origin();
  request.path = authority.path + "/" + std::string(tenant) + "/oauth2/v2.0/token";
  request.headers.Add("Content-Type", "application/x-www-form-urlencoded");
  request.headers.Add("Accept", "application/json");
  request.headers.Add("User-Agent", "sqlite-aztables");
  request.body = FormOf(fields);
  Outcome outcome = sender.Send(std::move(request), cancel);
  if (!outcome.ok()) {
    return outcome.status().code() == Code::kBusy
               ? outcome.status().In("the sign-in as " + who + " got no response")
               : outcome.status();
  }
  auto token = outcome->status == 200 ? TokenIn(*outcome, sender.clock(), who)
                                      : Result<AccessToken>(Refused(*outcome, fields, who));
  WipeString(outcome->body);
  return token;
}

}  // namespace aztables
