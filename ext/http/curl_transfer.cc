// CurlTransfer: see curl_transfer.h.
#include "http/curl_transfer.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include "base/conceal.h"
#include "base/crypto.h"
#include "base/encoding.h"
#include "http/proxy.h"
#include "platform/net.h"

namespace aztables {
namespace {

constexpr long kPageBuffer = 256 * 1024;  // 1.4 times less CPU for a page than curl's default
constexpr long kBuffer = 16 * 1024;       // 0.9 times the CPU of kPageBuffer for a point
// A write does not reuse a connection that was idle for longer. libcurl counts whole seconds, so a
// write opens a new connection from 4 s on. If a server closed a reused connection at that moment,
// the outcome would be unknown. The official emulator closes after 5 s.
constexpr long kMaxIdleForWriteSeconds = 3;

size_t OnBody(char* data, size_t, size_t size, void* user) {
  return static_cast<CurlTransfer*>(user)->response.AddBody({data, size}) ? size : 0;
}

// Shows the head of a response whose body is still arriving.
void ShowHead(CurlTransfer& transfer) noexcept {
  long status = 0;
  curl_easy_getinfo(transfer.easy.get(), CURLINFO_RESPONSE_CODE, &status);
  try {
    transfer.head.status = static_cast<int>(status);
    transfer.head.headers = transfer.response.headers();
    MakeShowable(transfer.head, transfer.signature);
  } catch (const std::bad_alloc&) {
    return;  // the headers are read later
  }
  transfer.has_head = true;
  *transfer.progress = true;
}

size_t OnHeader(char* data, size_t, size_t size, void* user) {
  CurlTransfer& transfer = *static_cast<CurlTransfer*>(user);
  if (!transfer.response.AddHeader({data, size})) return 0;
  const bool wanted = transfer.request.wants_head && !transfer.has_head;
  if (wanted && transfer.response.head_complete()) ShowHead(transfer);
  return size;
}

size_t OnSend(char* buffer, size_t, size_t size, void* user) {
  CurlTransfer& transfer = *static_cast<CurlTransfer*>(user);
  const size_t count = transfer.request.body.copy(buffer, size, transfer.body_sent);
  transfer.body_sent += count;
  return count;
}

// If a kept-alive connection ends before any response, libcurl repeats a request up to five times,
// also DELETE and POST. The server may have carried out the request, and the caller must know that.
// So only a request of which nothing was sent may continue on another connection. This is called by
// the first of three callbacks: for a new socket, for the body again, or to send on a connection.
bool MayGoOn(CurlTransfer& transfer) {
  if (!transfer.MayHaveReached()) return true;
  transfer.failure = "it ended before a response arrived";
  return false;
}

curl_socket_t OnSocket(void* user, curlsocktype, curl_sockaddr* address) {
  if (!MayGoOn(*static_cast<CurlTransfer*>(user))) return CURL_SOCKET_BAD;
  return OpenSocket(address->family, address->socktype, address->protocol);
}

int OnRewind(void* user, curl_off_t, int) {
  CurlTransfer& transfer = *static_cast<CurlTransfer*>(user);
  if (!MayGoOn(transfer)) return CURL_SEEKFUNC_FAIL;
  transfer.body_sent = 0;
  return CURL_SEEKFUNC_OK;
}

int OnRequest(void* user, char*, char*, int, int) {
  CurlTransfer& transfer = *static_cast<CurlTransfer*>(user);
  if (!MayGoOn(transfer)) return CURL_PREREQFUNC_ABORT;
  long sent = 0;
  curl_easy_getinfo(transfer.easy.get(), CURLINFO_REQUEST_SIZE, &sent);
  transfer.sent_before = sent;
  return CURL_PREREQFUNC_OK;
}

// Other TLS libraries and other versions have other contexts.
bool UsesOpenSsl3() {
  static const bool uses = [] {
    const char* const name = curl_version_info(CURLVERSION_NOW)->ssl_version;
    return name != nullptr && std::string_view(name).starts_with("OpenSSL/3.");
  }();
  return uses;
}

CURLcode OnTlsContext(CURL*, void* context, void*) {
  EnableTlsReadAhead(context);
  return CURLE_OK;
}

void SetUrl(CurlTransfer& transfer) {
  const Request& request = transfer.request;
  const std::string_view sas = request.credential_query.view();
  // Reserved at once: growing would leave a copy of a SAS.
  transfer.url.reserve(request.origin.size() + request.path.size() + request.query.size() +
                       sas.size() + 2);
  transfer.url.append(request.origin).append(request.path);
  char separator = '?';
  for (const std::string_view part : {std::string_view(request.query), sas}) {
    if (part.empty()) continue;
    transfer.url += separator;
    transfer.url += part;
    separator = '&';
  }
  curl_easy_setopt(transfer.easy.get(), CURLOPT_URL, transfer.url.c_str());
}

// libcurl only reads the lines.
void SetHeaders(CurlTransfer& transfer) {
  for (const auto& header : transfer.request.headers.all()) {
    // libcurl omits the header for "name:", and sends it empty for "name;".
    transfer.lines.push_back(header.value.empty() ? header.name + ";"
                                                  : header.name + ": " + header.value);
  }
  transfer.lines.emplace_back("Expect:");
  transfer.headers.reserve(transfer.lines.size());
  for (std::string& line : transfer.lines) {
    transfer.headers.push_back({line.data(), nullptr});
    const size_t count = transfer.headers.size();
    if (count > 1) transfer.headers[count - 2].next = &transfer.headers.back();
  }
  curl_easy_setopt(transfer.easy.get(), CURLOPT_HTTPHEADER, transfer.headers.data());
}

void SetMethod(CURL* easy, CurlTransfer& transfer) {
  const Request& request = transfer.request;
  if (request.method == "GET") {
    curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    return;
  }
  curl_easy_setopt(easy, CURLOPT_MAXAGE_CONN, kMaxIdleForWriteSeconds);
  if (!request.body.empty() || request.method == "POST") {
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, OnSend);
    curl_easy_setopt(easy, CURLOPT_READDATA, &transfer);
    curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, OnRewind);
    curl_easy_setopt(easy, CURLOPT_SEEKDATA, &transfer);
  }
  curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

Contact ContactOf(const CurlTransfer& transfer, CURLcode code) {
  if (code == CURLE_SSL_CONNECT_ERROR) return Contact::kNoTls;
  long header_bytes = 0;
  curl_off_t connect_us = 0;
  curl_easy_getinfo(transfer.easy.get(), CURLINFO_HEADER_SIZE, &header_bytes);
  curl_easy_getinfo(transfer.easy.get(), CURLINFO_CONNECT_TIME_T, &connect_us);
  if (header_bytes > 0) return Contact::kSome;
  return connect_us > 0 || transfer.MayHaveReached() ? Contact::kNoHttp : Contact::kNone;
}

// After "SSL certificate problem: ...".
std::string TrustAdvice(const Request& request) {
  if (request.ca_file.empty()) {
    return "; no file of CA certificates was found: give it with CaFile=PATH in the connection "
           "string, or in SSL_CERT_FILE";
  }
  return "; the trusted CA certificates are those of " + request.ca_file +
         ": CaFile=PATH in the connection string, or SSL_CERT_FILE, names another file";
}

Status TransportError(const CurlTransfer& transfer, CURLcode code) {
  const std::string& place = transfer.request.origin;
  Failure failure;
  failure.may_have_reached = transfer.MayHaveReached();
  failure.contact = ContactOf(transfer, code);
  const bool late = code == CURLE_OPERATION_TIMEDOUT && transfer.sent_before;
  failure.left_alone = transfer.left_alone && !late;
  if (const char* refused = transfer.response.failure()) {
    const Code kind = transfer.response.lacks_memory() ? Code::kNoMemory : Code::kTooBig;
    return {kind, place + ": " + refused, failure};
  }
  if (transfer.failure != nullptr) {
    return {Code::kBusy, "the connection to " + place + " broke: " + transfer.failure, failure};
  }
  const std::string_view text =
      transfer.error_text[0] != '\0' ? transfer.error_text : curl_easy_strerror(code);
  std::string why = Conceal(std::string(TrimBlanks(text)), transfer.signature);
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
      return {Code::kBusy, "cannot reach " + place + ": " + why + ProxyAdvice(place), failure};
    case CURLE_OPERATION_TIMEDOUT:
      return {Code::kBusy, place + " did not answer in time: " + why + ProxyAdvice(place), failure};
    case CURLE_SSL_CONNECT_ERROR: {
      // Either OpenSSL reports an error ("error:0A00010B:..."), which is not transient, or the
      // connection broke.
      const auto has = [&](const char* part) { return why.find(part) != std::string::npos; };
      const Code kind = has("error:") && !has("unexpected eof") ? Code::kError : Code::kBusy;
      const bool plain = has("wrong version number");
      const char* hint = plain ? "; its port speaks HTTP without TLS: write http, not https" : "";
      return {kind, "no secure connection to " + place + ": " + why + hint, failure};
    }
    case CURLE_PEER_FAILED_VERIFICATION:
      return {Code::kError,
              "no secure connection to " + place + ": " + why + TrustAdvice(transfer.request),
              failure};
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
      return {Code::kError, "no secure connection to " + place + ": " + why, failure};
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_BAD_FUNCTION_ARGUMENT:  // a continuation line without a header
      return {Code::kBusy, place + " did not answer in HTTP: " + why, failure};
    case CURLE_URL_MALFORMAT:
      return {Code::kError, place + " is not an address: " + why, failure};
    case CURLE_OUT_OF_MEMORY:  // also libcurl's error for what is beyond its limits
      why =
          ": the request's address is longer than 1 MiB, the response has a header longer than "
          "100 KiB, or memory ran out";
      return {Code::kTooBig, place + why, failure};
    default:
      return {Code::kBusy, "the connection to " + place + " broke: " + why + ProxyAdvice(place),
              failure};
  }
}

}  // namespace

CurlTransfer::CurlTransfer(Request& request_in)
    : request(request_in), signature(SignatureOf(request_in)) {}

CurlTransfer::~CurlTransfer() {
  WipeString(url);  // it may hold a SAS
  WipeString(signature);
}

void WriteTimeoutText(CurlTransfer& transfer, bool connecting) {
  const auto limit = std::min<std::chrono::milliseconds>(
      transfer.request.timeout, connecting ? kMostConnecting : std::chrono::milliseconds::max());
  const auto ms = static_cast<long>(limit.count());
  if (connecting) {
    snprintf(transfer.error_text, sizeof transfer.error_text,
             "Connection timed out after %ld milliseconds", ms);
  } else {
    snprintf(transfer.error_text, sizeof transfer.error_text,
             "Operation timed out after %ld milliseconds with %zu bytes received", ms,
             transfer.response.body_size());
  }
}

void SetUpTransfer(CurlTransfer& transfer) {
  // A new handle per request. With a reused handle, libcurl 7.88 unfolds a header onto the last
  // header of the previous response, which it has freed.
  transfer.easy.reset(curl_easy_init());
  if (!transfer.easy) return;
  CURL* const easy = transfer.easy.get();
  const Request& request = transfer.request;
  SetUrl(transfer);
  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  // A pending name lookup is left to its own thread. Else cancelling would wait for it.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, request.wants_head ? kPageBuffer : kBuffer);
  // Debian's default CA path disables curl's cache of CA certificates: 20 ms of CPU per connection.
  curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);
  // libcurl does not reuse a connection or a TLS session for a request with another CA file.
  if (!request.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, request.ca_file.c_str());
  if (UsesOpenSsl3()) curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, OnTlsContext);
  if (request.no_proxy || IsDirect(request.origin)) curl_easy_setopt(easy, CURLOPT_PROXY, "");
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer.error_text);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, OnSocket);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, OnRequest);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, OnBody);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, OnHeader);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &transfer);
  // libcurl divides it among the addresses of a host.
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(kMostConnecting.count()));
  SetMethod(easy, transfer);
  SetHeaders(transfer);
}

Outcome OutcomeOf(CurlTransfer& transfer, CURLcode code) {
  if (code == CURLE_OK &&
      !transfer.response.head_complete()) {  // libcurl accepts this as a response
    transfer.failure = "it ended in the middle of the response's headers";
    code = CURLE_RECV_ERROR;
  }
  if (code != CURLE_OK) return TransportError(transfer, code);
  long status = 0;
  curl_easy_getinfo(transfer.easy.get(), CURLINFO_RESPONSE_CODE, &status);
  Response response = transfer.response.Take(static_cast<int>(status));
  MakeShowable(response, transfer.signature);
  return response;
}

}  // namespace aztables
