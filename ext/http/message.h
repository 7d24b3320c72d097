// Requests and responses of HTTP as the layers above see them.
//
// Thread rule: values.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/secret.h"
#include "http/budget.h"

namespace aztables {

class Headers {
 public:
  struct Header {
    std::string name;
    std::string value;
  };

  // The value of the first header of that name in any case; null if there is none.
  const std::string* Find(std::string_view name) const;
  // The same; empty if there is none.
  std::string_view Get(std::string_view name) const;
  // Replaces every header of that name.
  void Set(std::string_view name, std::string value);
  void Add(std::string name, std::string value);
  const std::vector<Header>& all() const { return all_; }
  std::vector<Header>& all() { return all_; }

 private:
  std::vector<Header> all_;
};

inline constexpr std::string_view kClientRequestIdHeader = "x-ms-client-request-id";
// How the ids begin that name one write and all its attempts. Other clients use one id for several
// requests.
inline constexpr std::string_view kWriteIdPrefix = "aztables-";
// In a response of aztables-server or of a local store: for this number of seconds it remembers the
// ids of writes and their outcomes. A write that arrives again is not carried out again.
inline constexpr std::string_view kRemembersWritesHeader = "x-aztables-remembers-writes";

// The origin of a request: what aztables_requests shows besides the bytes.
struct RequestLabel {
  int64_t statement_id = 0;  // 0: outside a statement
  int64_t scan = 0;          // number of its scan (one xFilter); 0: none
  std::string connection;
  std::string table;
  std::string kind;    // "point", "row range", "insert", ...
  std::string filter;  // $filter as text, not percent-encoded

  // Makes it an empty label, with the memory of its texts.
  void Clear() {
    statement_id = scan = 0;
    for (std::string* text : {&connection, &table, &kind, &filter}) text->clear();
  }
};

struct Request {
  std::string method;
  std::string origin;  // "http://127.0.0.1:10002"
  std::string path;    // percent-encoded, as signed and as sent; begins with "/"
  std::string query;   // percent-encoded, without "?"; never holds a secret
  // The SAS, in the form in which it is appended to the query. The credential writes it for each
  // attempt. Only the transport reads it, and nothing shows it.
  WipedString credential_query;
  Headers headers;
  std::string body;
  std::string ca_file;  // the CA certificates to trust, in PEM; empty: libcurl's own
  bool no_proxy = false;
  RequestLabel label;
  Budget budget;  // every attempt counts

  // Whether an attempt may follow one that may have been carried out: reads, and writes whose
  // sender settles that doubt (Exchange::doubt()). Any other request is retried only if no
  // connection could be made, or after a 429 or 503 response, which mean that the service has not
  // begun with it.
  bool may_repeat = true;
  // Whether the caller looks at the response's headers before its body is complete.
  bool wants_head = false;
  // Whether the caller waits for the response at once. Then its thread may do the transport's work.
  bool waits = false;
  int max_retries = 5;
  std::chrono::milliseconds timeout{60'000};  // of one attempt
};

struct Response {
  int status = 0;
  Headers headers;
  std::string body;
};

// The signature that a request is sent with: that of the SAS, unchanged from the query, or that of
// the header Authorization, or its token. Empty: it has none.
std::string_view SignatureOf(const Request& request);

// Replaces the signature by "...", in any encoding (base/conceal.h), in every header and in a body
// that is not a page of entities. Each header that is shown becomes one printable line.
void MakeShowable(Response& response, std::string_view signature);

}  // namespace aztables
