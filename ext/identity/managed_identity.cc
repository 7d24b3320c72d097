// Managed identities: see managed_identity.h.
#include "identity/managed_identity.h"

#include <cstdio>
#include <string>
#include <utility>

#include "base/encoding.h"
#include "http/pipeline.h"
#include "model/datetime.h"
#include "odata/json_object.h"
#include "platform/file.h"

namespace aztables {
namespace {

constexpr char kImdsHost[] = "http://169.254.169.254";
constexpr char kImdsPath[] = "/metadata/identity/oauth2/token";
constexpr char kArcEndpoint[] = "http://127.0.0.1:40342/metadata/identity/oauth2/token";
constexpr char kArcAgent[] = "/opt/azcmagent/bin/himds";
constexpr std::string_view kArcKeys = "/var/opt/azcmagent/tokens/";
constexpr size_t kMostOfAKey = 4096;

struct Host {
  enum class Kind : uint8_t { kAppService, kMachineLearning, kCloudShell, kArc, kImds };
  Kind kind = Kind::kImds;
  std::string name;
  std::string endpoint;
  std::string api_version;
  std::string header;       // of the secret; empty: none
  std::string client_id;    // the parameter's name; empty: the host takes no identity
  std::string resource_id;  // the same
  bool metadata = false;    // with the header "Metadata: true"
};

class ManagedIdentitySource final : public TokenSource {
 public:
  ManagedIdentitySource(const IdentitySettings& settings, const Environment& environment,
                        std::shared_ptr<TokenSender> sender)
      : settings_(settings), environment_(environment), sender_(std::move(sender)) {}

  std::string Describe() const override {
    if (!settings_.client_id.empty()) return "the managed identity " + settings_.client_id;
    if (!settings_.object_id.empty()) return "the managed identity " + settings_.object_id;
    if (!settings_.resource_id.empty()) return "the managed identity " + settings_.resource_id;
    return "the managed identity of this machine";
  }

  Result<AccessToken> Get(const TokenDemand& demand, const Cancel& cancel) override {
    const auto host = FindHost();
    if (!host.ok()) return host.status();
    auto request = MakeRequest(*host, demand.scope);
    if (!request.ok()) return request.status();
    const Request first = *request;
    Outcome outcome = sender_->Send(std::move(*request), cancel, TokenSender::Server::kHost);
    if (outcome.ok() && outcome->status == 401 && host->kind == Host::Kind::kArc) {
      outcome = AnswerChallenge(first, *outcome, cancel);
    }
    if (!outcome.ok()) {
      if (outcome.status().code() != Code::kBusy) return outcome.status();
      return outcome.status().In("the sign-in as " + Describe() + " (" + host->name +
                                 ") got no response");
    }
    auto token = outcome->status == 200 ? TokenIn(*outcome, *host)
                                        : Result<AccessToken>(Refused(*outcome, *host));
    WipeString(outcome->body);
    return token;
  }

 private:
  bool HasVariable(const char* name) const { return environment_(name).has_value(); }

  Result<Host> FindHost() const {
    const auto endpoint = environment_("IDENTITY_ENDPOINT");
    const auto older = environment_("MSI_ENDPOINT");
    if (endpoint && HasVariable("IDENTITY_HEADER")) {
      if (HasVariable("IDENTITY_SERVER_THUMBPRINT")) {
        return Status(Code::kAuth, "the managed identity of Service Fabric is not supported yet");
      }
      return Host{.kind = Host::Kind::kAppService,
                  .name = "App Service",
                  .endpoint = *endpoint,
                  .api_version = "2019-08-01",
                  .header = "X-IDENTITY-HEADER",
                  .client_id = "client_id",
                  .resource_id = "mi_res_id"};
    }
    if (older && HasVariable("MSI_SECRET")) {
      return Host{.kind = Host::Kind::kMachineLearning,
                  .name = "Azure Machine Learning",
                  .endpoint = *older,
                  .api_version = "2017-09-01",
                  .header = "secret",
                  .client_id = "clientid",
                  .resource_id = ""};
    }
    if (older) {
      return Host{.kind = Host::Kind::kCloudShell,
                  .name = "Cloud Shell",
                  .endpoint = *older,
                  .metadata = true};
    }
    const bool arc = endpoint && HasVariable("IMDS_ENDPOINT");
    if (arc || !IsMissingFile(kArcAgent)) {
      return Host{.kind = Host::Kind::kArc,
                  .name = "Azure Arc",
                  .endpoint = arc ? *endpoint : kArcEndpoint,
                  .api_version = "2020-06-01",
                  .client_id = "client_id",
                  .resource_id = "msi_res_id",
                  .metadata = true};
    }
    const std::string host = environment_("AZURE_POD_IDENTITY_AUTHORITY_HOST").value_or(kImdsHost);
    return Host{.name = "the machine's metadata service",
                .endpoint = host + kImdsPath,
                .api_version = "2018-02-01",
                .client_id = "client_id",
                .resource_id = "msi_res_id",
                .metadata = true};
  }

  // The parameters that select the identity.
  Status AddIdentity(const Host& host, std::string& query) const {
    const std::string object_id =
        host.kind == Host::Kind::kMachineLearning ? std::string() : host.client_id;
    const std::pair<const std::string*, std::string> parameters[] = {
        {&settings_.client_id, host.client_id},
        {&settings_.object_id, object_id.empty() ? "" : "object_id"},
        {&settings_.resource_id, host.resource_id}};
    for (const auto& [value, name] : parameters) {
      if (value->empty()) continue;
      if (name.empty()) {
        return {Code::kAuth, host.name + " cannot act as " + Describe() +
                                 ": leave the id out, or name it in another way"};
      }
      query += "&" + name + "=";
      AppendPercentEncoded(query, *value);
    }
    return {};
  }

  Result<Request> MakeRequest(const Host& host, std::string_view scope) const {
    const auto uri = ParseEndpoint(host.endpoint);
    if (!uri.ok()) return uri.status().In("the endpoint of " + host.name).As(Code::kAuth);
    constexpr std::string_view kDefault = "/.default";
    if (scope.ends_with(kDefault)) scope.remove_suffix(kDefault.size());
    Request request;
    request.method = "GET";
    request.origin = uri->Origin();
    request.path = uri->path;
    request.no_proxy = true;
    std::string resource = "resource=";
    AppendPercentEncoded(resource, scope);
    request.headers.Add("Accept", "application/json");
    request.headers.Add("User-Agent", "sqlite-aztables");
    if (host.metadata) request.headers.Add("Metadata", "true");
    if (host.kind == Host::Kind::kCloudShell) {
      request.method = "POST";
      request.headers.Add("Content-Type", "application/x-www-form-urlencoded");
      request.body = resource;
      std::string unused;
      AZTABLES_RETURN_IF_ERROR(AddIdentity(host, unused));
      return request;
    }
    request.query = "api-version=" + host.api_version + "&" + resource;
    AZTABLES_RETURN_IF_ERROR(AddIdentity(host, request.query));
    if (!host.header.empty()) {
      const bool older = host.kind == Host::Kind::kMachineLearning;
      request.headers.Add(host.header,
                          environment_(older ? "MSI_SECRET" : "IDENTITY_HEADER").value_or(""));
    }
    return request;
  }

  // Azure Arc proves that the caller may read a file of its own.
  Outcome AnswerChallenge(Request request, const Response& challenge, const Cancel& cancel) const {
    constexpr std::string_view kBegin = "Basic realm=";
    const std::string_view value = challenge.headers.Get("WWW-Authenticate");
    const std::string path(value.starts_with(kBegin) ? value.substr(kBegin.size()) : "");
    if (!IsArcKeyFile(path)) {
      return Status(Code::kAuth, "Azure Arc asked for a file that is not one of its keys");
    }
    auto key = ReadOrdinaryFile(path, kMostOfAKey);
    if (!key.ok()) {
      return Status(Code::kAuth, "the key of Azure Arc " + std::string(key.status().message()) +
                                     ": only root and the group himds may read it");
    }
    request.headers.Set("Authorization", "Basic " + *key);
    WipeString(*key);
    return sender_->Send(std::move(request), cancel, TokenSender::Server::kHost);
  }

  Status Refused(const Response& response, const Host& host) const {
    constexpr size_t kMostShownText = 300;
    const auto body = JsonObject::Read(response.body);
    std::string text =
        PrintableLine(body.ok() ? body->Get("error_description") : "", kMostShownText);
    if (text.empty() && body.ok()) text = PrintableLine(body->Get("message"), kMostShownText);
    Failure failure;
    failure.has_response = true;
    failure.http_status = response.status;
    failure.code = PrintableLine(body.ok() ? body->Get("error") : "", kMostShownText);
    if (IsTransient(response.status)) {
      failure.cause =
          "the sign-in as " + Describe() + " failed: " + host.name + " is busy; try again later";
      return {Code::kBusy, std::move(failure)};
    }
    failure.cause = "the sign-in as " + Describe() + " was refused by " + host.name;
    if (text.starts_with("Identity not found")) {
      failure.cause += settings_.client_id.empty() && settings_.resource_id.empty()
                           ? ": the machine has no managed identity, or several; give ClientId"
                           : ": the machine has no such managed identity";
    } else if (!text.empty()) {
      failure.cause += ": " + text;
    }
    return {Code::kAuth, std::move(failure)};
  }

  Result<AccessToken> TokenIn(const Response& response, const Host& host) const {
    const auto body = JsonObject::Read(response.body);
    const std::string_view text = body.ok() ? body->Get("access_token") : std::string_view();
    const int64_t seconds = body.ok()
                                ? SecondsLeft(body->Get("expires_in"), body->Get("expires_on"),
                                              sender_->clock().NowMs())
                                : 0;
    if (!IsTokenText(text) || seconds <= 0) {
      return Status(Code::kAuth, "the response of " + host.name + " has no token");
    }
    // An old agent answers for another identity than the one that was asked for.
    const std::string_view client = body->Get("client_id");
    if (!settings_.client_id.empty() && !client.empty() &&
        !EqualsIgnoreCase(client, settings_.client_id)) {
      return Status(Code::kAuth, host.name + " answered for another identity than " + Describe());
    }
    return MakeToken(text, std::chrono::seconds(seconds), sender_->clock());
  }

  const IdentitySettings& settings_;
  const Environment& environment_;
  std::shared_ptr<TokenSender> sender_;
};

// "11/28/2026 10:00:00 AM +00:00" as Unix time.
std::optional<int64_t> ReadAmericanTime(const std::string& text) {
  int month = 0;
  int day = 0;
  int year = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  char half[3] = "";
  if (std::sscanf(text.c_str(), "%2d/%2d/%4d %2d:%2d:%2d %2[APM]", &month, &day, &year, &hour,
                  &minute, &second, half) < 6) {
    return std::nullopt;
  }
  if (half[0] != '\0') hour = hour % 12 + (half[0] == 'P' ? 12 : 0);
  char iso[40];
  std::snprintf(iso, sizeof iso, "%04d-%02d-%02dT%02d:%02d:%02dZ", year, month, day, hour, minute,
                second);
  const auto ticks = ParseDateTime(iso);
  if (!ticks) return std::nullopt;
  return (*ticks - UnixTime(0)) / 10'000'000;
}

}  // namespace

int64_t SecondsLeft(std::string_view expires_in, std::string_view expires_on, int64_t now_ms) {
  if (const auto seconds = ParseInteger(expires_in); seconds && *seconds > 0) return *seconds;
  auto at = ParseInteger(expires_on);
  if (!at) at = ReadAmericanTime(std::string(expires_on));
  if (!at) {
    if (const auto ticks = ParseDateTime(std::string(expires_on))) {
      at = (*ticks - UnixTime(0)) / 10'000'000;
    }
  }
  return at ? *at - now_ms / 1000 : 0;
}

bool IsArcKeyFile(std::string_view path) {
  if (!path.starts_with(kArcKeys) || !path.ends_with(".key")) return false;
  path.remove_prefix(kArcKeys.size());
  return path.find('/') == std::string_view::npos && path.find('\0') == std::string_view::npos;
}

std::unique_ptr<TokenSource> MakeManagedIdentitySource(const IdentitySettings& settings,
                                                       const Environment& environment,
                                                       std::shared_ptr<TokenSender> sender) {
  return std::make_unique<ManagedIdentitySource>(settings, environment, std::move(sender));
}

}  // namespace aztables
