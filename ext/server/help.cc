// What aztables-server --help and --version print: see options.h.
#include "aztables.h"
#include "server/options.h"

namespace aztables {

std::string_view HelpText() {
  return R"(aztables-server: Azure Table Storage tables from a local file, over HTTP.

It responses the REST calls of the Azure Table service, so that every SDK and every tool of it can
work with a store on this machine: a file of sqlite-aztables, which SQL statements may use at the
same time.

  aztables-server --store tables.db
  aztables-server --store :memory: --port 0 --accounts-file accounts.txt --log

Options (--name VALUE or --name=VALUE):
  --store PATH          the store; created where there is none, for its owner alone (mode 0600);
                        ":memory:" keeps nothing. Required.
  --host HOST           where to listen: a name or an address. Default: 127.0.0.1. There is no TLS:
                        an address that is not loopback is served with a warning.
  --insecure-default-key
                        serve the published key beyond loopback too. Without this option that is
                        an error.
  --allow-host NAME     a name of this server that requests may have in the header Host; repeatable.
                        IP addresses, localhost and names below localhost are always allowed.
                        Requests with another name get 403.
  --port N              the port; 0: a free one, which the first line of output names.
                        Default: 10002
  --account NAME:KEY    an account to serve, its key in base64; also NAME:KEY1:KEY2; repeatable.
                        Others on this machine can see arguments: prefer one of the next two.
  --accounts-file PATH  more accounts, one a line, written the same way; "#" begins a comment line.
  --idle-timeout N      seconds until a connection without traffic is closed. Default: 120
  --request-timeout N   seconds from the first byte of a request to its last. A slower request gets
                        408, and its connection is closed. Default: 60
  --log                 one line per request on stderr: method, path without query, status,
                        milliseconds, bytes of the response. Lines that nobody reads are dropped, and
                        their number is told.
  --help                print this and end; -h does the same.
  --version             print the version and end.

Without an account it serves that of the emulators, devstoreaccount1 with its published key.

Environment:
  AZTABLES_SERVER_ACCOUNTS   accounts like those of --account, separated by ";":
                             "name:key;other:key1:key2". All accounts given add up.

Connection string (one line for each account is printed at the start):
  DefaultEndpointsProtocol=http;AccountName=NAME;AccountKey=KEY;TableEndpoint=http://HOST:PORT/NAME
  UseDevelopmentStorage=true works for devstoreaccount1 at the default host and port.

Signals: SIGTERM and SIGINT stop it: nothing more is accepted, requests under way are answered (for
at most some seconds), the store is closed. A second one ends it at once.

Exit codes: 0 stopped by a signal; 1 the store does not open or the port is not to be had;
2 wrong options or accounts.

For tests:
  --delay MS            waits so long before each response, once the request is carried out.
  --cut-every N         cuts the connection of every N-th request instead of responding it, once it
                        is carried out.
  --cut-before-every N  the same before anything is carried out.
)";
}

std::string_view VersionText() { return "aztables-server " AZTABLES_VERSION "\n"; }

}  // namespace aztables
