// The output of aztables-server --help and --version: see options.h.
#include "aztables.h"
#include "server/options.h"

namespace aztables {
namespace {

constexpr std::string_view kHelp =
    R"(aztables-server: Azure Table Storage tables from a local file, over HTTP.

It serves the REST API of the Azure Table service from a store on this machine. Every SDK and every
tool for the service can use it. The store is a file of sqlite-aztables. SQL statements may use it
at the same time.

  aztables-server --store tables.db
  aztables-server --store :memory: --port 0 --accounts-file accounts.txt --log

Options (--name VALUE or --name=VALUE):
  --store PATH          the store. Required. If the file is missing, it is created with mode 0600.
                        ":memory:" keeps nothing.
  --host HOST           the name or address to listen on. Default: 127.0.0.1. There is no TLS. An
                        address that is not loopback causes a warning.
  --insecure-default-key
                        allow the published key on an address that is not loopback. Without this
                        option that is an error.
  --allow-host NAME     allow requests with this name in the header Host; repeatable. IP addresses,
                        localhost and names below localhost are always allowed. Requests with
                        another name get 403.
  --port N              the port. Default: 10002. 0: a free port; the first line of output names it.
  --account NAME:KEY    an account to serve, or NAME:KEY1:KEY2. Keys are in base64; repeatable.
                        Other users of this machine can see arguments. Prefer --accounts-file or
                        AZTABLES_SERVER_ACCOUNTS.
  --accounts-file PATH  more accounts in the same form, one a line. "#" begins a comment line.
  --idle-timeout N      seconds until a connection without traffic is closed. Default: 120
  --log                 one line per request on stderr: method, path without query, status,
                        milliseconds, bytes of the response.
  --oauth               accept tokens of Microsoft Entra, for tests: issuer, audience and time are
                        checked, the signature is not. Only on a loopback address.
  --simulate PLAN       latency, throttling, short pages and faults, as below.
  --help                print this text and exit; -h does the same.
  --version             print the version and exit.

If no account is given, the server serves devstoreaccount1, the account of the emulators, with its
published key.

Environment:
  AZTABLES_SERVER_ACCOUNTS   accounts like those of --account, separated by ";":
                             "name:key;other:key1:key2". The accounts of all sources are
                             served.

Connection string (the server prints one for each account at its start):
  DefaultEndpointsProtocol=http;AccountName=NAME;AccountKey=KEY;TableEndpoint=http://HOST:PORT/NAME
  UseDevelopmentStorage=true works for devstoreaccount1 at the default host and port.

Signals: SIGTERM and SIGINT stop the server. It accepts no more connections, completes the requests
it has received (within some seconds), and closes the store. A second signal ends it at once.

Exit codes: 0: stopped by a signal; 1: the store or the port could not be opened; 2: invalid options
or accounts.

--simulate PLAN simulates the service for tests: items separated by ",", such as
"seed=7, latency=20, tail=500@1%, ranges=10, 503:2@3, reset-after@*10/egts". Settings:
  seed=N                the seed of all chance. Default: 1
  latency=MS            after each request is carried out, wait MS milliseconds before the response.
  tail=MS@P%            P % of the requests wait MS instead.
  partition_rate=N      entities a second that a partition carries; above it 503. The service: 2000
  account_rate=N        the same for an account. The service: 20000
  ranges=N              about every N-th PartitionKey begins a range, at which a page ends.
  scan_time=MS          a page ends after this time instead of 5 s.
  scan_rows=N           a page ends after looking at N entities.
  tokens=partition      no NextRowKey if the next page begins with a partition.
Faults, NAME[:ARGUMENT]@WHEN[/ONLY], "-after" if the request is carried out first:
  refuse[:MS]           the connection is reset; then no connection for MS. Default: 300
  reset-before, reset-after
                        the connection is reset.
  stall-before[:MS], stall-after[:MS]
                        no byte for MS; without MS, until the client or the server ends.
  truncate[:BYTES]      the response ends after BYTES of its body. Default: half
  STATUS[:RETRY], STATUS-after[:RETRY]
                        408, 429, 500, 502, 503 or 504. RETRY 2: "Retry-After: 2"; +2: as a date.
  html, html-after, bad-json, bad-batch
                        a page of HTML; a body that ends in its middle.
  move[:MS]             the range (without ranges: the partition) answers 503 for MS. Default: 3000
WHEN is K for the K-th request, *K for each K-th, or P% for chance. ONLY is reads, writes or egts:
then only these are counted.
)";

}  // namespace

std::string_view HelpText() { return kHelp; }

std::string_view VersionText() { return "aztables-server " AZTABLES_VERSION "\n"; }

}  // namespace aztables
