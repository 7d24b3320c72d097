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

  // The value of the first header of that name in any case; null where there is none.
  const std::string* Find(std::string_view name) const;
  // The same; empty where there is none.
  std::string_view Get(std::string_view name) const;
  // Replaces every header of that name.
  void Set(std::string_view name, std::string value);
  void Add(std::string name, std::string value);
  const std::vector<Header>& all() const { return all_; }
  std::vector<Header>& all() { return all_; }

 private:
  std::vector<Header> all_;
};

// Whose request it is: what aztables_requests shows of it besides the bytes.
struct RequestLabel {
  int64_t statement_id = 0;  // 0: outside a statement
  int64_t scan = 0;          // number of the scan (one xFilter) that it belongs to; 0: none
  std::string connection;
  std::string table;
  std::string kind;    // "point", "row range", "insert", ...
  std::string filter;  // $filter as text, not percent-encoded
};

struct Request {
  std::string method;
  std::string origin;  // "http://127.0.0.1:10002"
  std::string path;    // percent-encoded, as signed and as sent; begins with "/"
  std::string query;   // percent-encoded, without "?"; never holds a secret
  // The SAS, in the form in which it is put behind the query. Written by the signer for each
  // attempt, read by the transport alone, shown nowhere.
  WipedString credential_query;
  Headers headers;
  std::string body;
  std::string ca_file;  // certificates to trust in place of the system's; empty: the system's
  RequestLabel label;
  Budget budget;  // every attempt is taken from it

  // Whether sending it again cannot change anything: reads only. A write is sent again only if no
  // connection could be made, or after an answer that it was not begun with (429, 503).
  bool is_read = true;
  // A server that cannot carry it out breaks off with a 500 that says nothing: that is final.
  bool bare_500_is_final = false;
  int max_retries = 5;
  std::chrono::milliseconds timeout{60'000};  // of one attempt
};

struct Response {
  int status = 0;
  Headers headers;
  std::string body;
};

}  // namespace aztables
