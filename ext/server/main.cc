// The program aztables-server: the embedded table service over HTTP. options.h has its arguments,
// help.cc describes its output.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/file.h"
#include "platform/process.h"
#include "server/accounts.h"
#include "server/framing.h"
#include "server/http_handler.h"
#include "server/http_server.h"
#include "server/options.h"
#include "server/simulated_handler.h"
#include "server/sqlite_routines.h"
#include "service/table_service.h"

namespace aztables {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongOptions = 2;
constexpr char kPublicKey[] =
    ", and everybody knows the published key of the emulators; serve an account with a key of its "
    "own (--accounts-file), or add --insecure-default-key";
constexpr char kUnsignedTokens[] =
    ", and --oauth does not check the signatures of tokens: leave one of the two out";

void Print(std::FILE* to, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), to);
  std::fflush(to);
}

int Fail(int code, std::string_view sentence) {
  Print(stderr, "aztables-server: " + std::string(sentence) + "\n");
  return code;
}

// Connections need descriptors, and the usual limit is lower than kMostConnections.
constexpr uint64_t kFiles = 4096;

// Adds the accounts of the file, or the published one.
Status CompleteAccounts(Options& options) {
  if (!options.accounts_file.empty()) {
    AZTABLES_RETURN_IF_ERROR(AddAccountsOfFile(options.accounts_file, options.accounts)
                                 .In("--accounts-file " + options.accounts_file));
  }
  if (options.accounts.empty()) AddEmulatorAccount(options.accounts);
  return {};
}

// Checks a request's head before its body is read.
HeadCheck MakeHeadCheck(TableService& service, const AllowedHosts& hosts) {
  return [&service, hosts](const Request& head, const Peer& peer, const Cancel& cancel) {
    auto refused = hosts.Refuse(head.headers);
    return refused || !HasBody(head.headers) ? refused : service.RefuseHead(head, peer, cancel);
  };
}

Result<std::unique_ptr<HttpServer>> StartServer(TableService& service, const Options& options) {
  Handler handler = [&service](const Request& request, const Peer& peer, const Cancel& cancel) {
    return HandlerReply{.response = service.Handle(request, peer, cancel)};
  };
  if (options.simulation) {
    auto simulation = std::make_shared<Simulation>(
        *options.simulation, service.serves(),
        [&service](const RequestTarget& target) { return service.RangeStart(target); });
    handler = WithSimulation(std::move(handler), std::move(simulation));
  }
  HeadCheck check = MakeHeadCheck(service, options.allowed_hosts);
  if (options.log) {
    handler = WithLog(std::move(handler), stderr);
    check = WithRejectionLog(std::move(check), stderr);
  }
  return HttpServer::Start(options.http, std::move(handler), std::move(check));
}

// Prints the information that clients need, without secrets.
void Announce(const Listener& listener, const std::vector<ShownAccount>& accounts) {
  if (!listener.is_loopback()) {
    Print(stderr, "aztables-server: warning: " + listener.address() +
                      " is not a loopback address, and there is no TLS: others on the network can "
                      "read what is sent\n");
  }
  std::string text = "aztables-server: listening on " + listener.address() + "\n";
  for (const ShownAccount& account : accounts) {
    text +=
        "connection string: " + ConnectionString(account, "http://" + listener.local_address()) +
        "\n";
  }
  Print(stdout, text);
}

int Serve(Options options) {
  StopSignals signals;
  RaiseFileLimit(kFiles);
  if (const Status status = CompleteAccounts(options); !status.ok()) {
    return Fail(kWrongOptions, status.message());
  }
  if (const Status status = TakeSqliteRoutines(); !status.ok()) {
    return Fail(kFailed, status.message());
  }
  const std::vector<ShownAccount> shown = Show(options.accounts);
  options.http.loopback_only =
      options.oauth || (HavePublishedKey(options.accounts) && !options.insecure_default_key);
  const std::string store =
      options.store == ":memory:" ? options.store : ResolvePath(options.store);
  ServiceOptions service_options{.store = store, .create = true};
  service_options.accounts = std::move(options.accounts);
  service_options.tokens = options.oauth;
  if (options.simulation) service_options.pages = options.simulation->pages;
  auto service = TableService::Open(std::move(service_options));
  if (!service.ok()) return Fail(kFailed, service.status().message());
  auto server = StartServer(**service, options);
  if (server.status().code() == Code::kAuth) {
    return Fail(kWrongOptions, "--host: " + std::string(server.status().message()) +
                                   (options.oauth ? kUnsignedTokens : kPublicKey));
  }
  if (!server.ok()) return Fail(kFailed, server.status().message());
  Announce((*server)->listener(), shown);
  signals.Wait();
  (*server)->Stop();
  return 0;
}

int Main(int argc, char** argv) {
  const char* accounts = std::getenv("AZTABLES_SERVER_ACCOUNTS");
  const std::vector<const char*> arguments(argv + std::min(argc, 1), argv + argc);
  auto options = ParseOptions(arguments, accounts == nullptr ? "" : accounts);
  if (!options.ok()) return Fail(kWrongOptions, options.status().message());
  switch (options->action) {
    case Options::Action::kHelp:
      Print(stdout, HelpText());
      return 0;
    case Options::Action::kVersion:
      Print(stdout, VersionText());
      return 0;
    case Options::Action::kServe:
      break;
  }
  return Serve(std::move(*options));
}

}  // namespace
}  // namespace aztables

int main(int argc, char** argv) { return aztables::Main(argc, argv); }
