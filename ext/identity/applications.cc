// Applications: see applications.h.
#include "identity/applications.h"

#include <utility>

#include "base/encoding.h"
#include "identity/entra.h"
#include "platform/file.h"

namespace aztables {
namespace {

constexpr size_t kMostOfAToken = 64 * 1024;

struct Application {
  std::string tenant;
  std::string client_id;

  std::string Describe() const { return "client " + client_id + " of tenant " + tenant; }
};

FormFields Form(const Application& application, std::string_view scope) {
  FormFields fields(3);
  fields[0].first = "grant_type";
  fields[0].second = "client_credentials";
  fields[1].first = "client_id";
  fields[1].second = application.client_id;
  fields[2].first = "scope";
  fields[2].second = scope;
  return fields;
}

void Add(FormFields& fields, std::string_view name, std::string_view value) {
  fields.emplace_back();
  fields.back().first = name;
  fields.back().second = value;
}

class ClientSecretSource final : public TokenSource {
 public:
  ClientSecretSource(const IdentitySettings& settings, std::shared_ptr<TokenSender> sender)
      : settings_(settings),
        application_{settings.tenant, settings.client_id},
        sender_(std::move(sender)) {}

  std::string Describe() const override { return application_.Describe(); }
  Result<AccessToken> Get(const TokenDemand& demand, const Cancel& cancel) override {
    FormFields fields = Form(application_, demand.scope);
    Add(fields, "client_secret", settings_.client_secret.Reveal());
    return AskEntra(*sender_, settings_.authority, application_.tenant, fields, Describe(), cancel);
  }

 private:
  const IdentitySettings& settings_;
  const Application application_;
  std::shared_ptr<TokenSender> sender_;
};

// What the two sources of the environment share.
class VariablesSource : public TokenSource {
 public:
  VariablesSource(const IdentitySettings& settings, const Environment& environment,
                  std::shared_ptr<TokenSender> sender)
      : settings_(settings), environment_(environment), sender_(std::move(sender)) {}

 protected:
  // The value of a variable. The error names it.
  Result<std::string> Variable(const char* name) const {
    auto value = environment_(name);
    if (value) return std::move(*value);
    return Status(Code::kNotFound, "the environment variable " + std::string(name) + " is not set");
  }
  Result<Application> ApplicationOfVariables() const {
    Application application{settings_.tenant, settings_.client_id};
    for (auto& [value, name] : {std::pair{&application.tenant, "AZURE_TENANT_ID"},
                                std::pair{&application.client_id, "AZURE_CLIENT_ID"}}) {
      if (!value->empty()) continue;
      auto found = Variable(name);
      if (!found.ok()) return found.status();
      *value = std::move(*found);
    }
    if (IsTenant(application.tenant) && IsClientId(application.client_id)) return application;
    return Status(Code::kAuth,
                  "AZURE_TENANT_ID is not the id or the domain of a tenant, or AZURE_CLIENT_ID is "
                  "not the id of an application");
  }
  Result<Uri> Authority() const {
    const auto host = environment_("AZURE_AUTHORITY_HOST");
    if (settings_.authority_given || !host) return settings_.authority;
    auto uri = ParseEndpoint(*host);
    if (uri.ok() && (uri->scheme == "https" || IsLoopback(uri->host))) return uri;
    return Status(Code::kAuth, "AZURE_AUTHORITY_HOST is not an address of https");
  }
  Result<AccessToken> Ask(const Application& application, const FormFields& fields,
                          const Cancel& cancel) const {
    const auto authority = Authority();
    if (!authority.ok()) return authority.status();
    return AskEntra(*sender_, *authority, application.tenant, fields, application.Describe(),
                    cancel);
  }

 private:
  const IdentitySettings& settings_;
  const Environment& environment_;
  std::shared_ptr<TokenSender> sender_;
};

class EnvironmentSource final : public VariablesSource {
 public:
  using VariablesSource::VariablesSource;

  std::string Describe() const override {
    const auto application = ApplicationOfVariables();
    return application.ok() ? application->Describe() : "the application of the environment";
  }
  Result<AccessToken> Get(const TokenDemand& demand, const Cancel& cancel) override {
    const auto application = ApplicationOfVariables();
    if (!application.ok()) return application.status();
    auto secret = Variable("AZURE_CLIENT_SECRET");
    if (!secret.ok()) return secret.status();
    FormFields fields = Form(*application, demand.scope);
    Add(fields, "client_secret", *secret);
    WipeString(*secret);
    return Ask(*application, fields, cancel);
  }
};

class WorkloadIdentitySource final : public VariablesSource {
 public:
  using VariablesSource::VariablesSource;

  std::string Describe() const override {
    const auto application = ApplicationOfVariables();
    return application.ok() ? application->Describe() : "the workload identity";
  }
  Result<AccessToken> Get(const TokenDemand& demand, const Cancel& cancel) override {
    const auto path = Variable("AZURE_FEDERATED_TOKEN_FILE");
    if (!path.ok()) return path.status();
    const auto application = ApplicationOfVariables();
    if (!application.ok()) return application.status();
    auto text = ReadOrdinaryFile(*path, kMostOfAToken);
    const std::string file = "the file " + *path + " of AZURE_FEDERATED_TOKEN_FILE ";
    if (!text.ok()) return Status(Code::kAuth, file + std::string(text.status().message()));
    const std::string_view assertion = TrimBlanks(*text);
    FormFields fields = Form(*application, demand.scope);
    Add(fields, "client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    Add(fields, "client_assertion", assertion);
    const bool is_token = IsTokenText(assertion);
    WipeString(*text);
    if (!is_token) return Status(Code::kAuth, file + "holds no token");
    return Ask(*application, fields, cancel);
  }
};

}  // namespace

std::unique_ptr<TokenSource> MakeClientSecretSource(const IdentitySettings& settings,
                                                    std::shared_ptr<TokenSender> sender) {
  return std::make_unique<ClientSecretSource>(settings, std::move(sender));
}

std::unique_ptr<TokenSource> MakeEnvironmentSource(const IdentitySettings& settings,
                                                   const Environment& environment,
                                                   std::shared_ptr<TokenSender> sender) {
  return std::make_unique<EnvironmentSource>(settings, environment, std::move(sender));
}

std::unique_ptr<TokenSource> MakeWorkloadIdentitySource(const IdentitySettings& settings,
                                                        const Environment& environment,
                                                        std::shared_ptr<TokenSender> sender) {
  return std::make_unique<WorkloadIdentitySource>(settings, environment, std::move(sender));
}

}  // namespace aztables
