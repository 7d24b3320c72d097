// ServiceClient: the operations of the Table service over one connection's pipeline: query pages,
// point reads, entity group transactions (EGTs), tables. It knows URLs, headers and the meaning of
// each response. Every failure is one sentence. It names the table, the request, the service's
// message and what to do. Source: Microsoft, Table service REST reference.
//
// Ownership: the pipeline and the log outlive the client.
// Thread rule: the thread of the database connection.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "http/pipeline.h"
#include "odata/entity_page.h"
#include "odata/filter.h"
#include "table/page_sequence.h"
#include "table/sas_terms.h"

namespace aztables {

struct ServiceEndpoint {
  std::string connection;  // its name, for messages
  std::string origin;      // "https://acct.table.core.windows.net"
  std::string path;        // before every resource; "/devstoreaccount1" on an emulator
  bool cosmos = false;
  bool emulator = false;                   // an emulator serves it
  bool local = false;                      // it runs in this process
  std::string store_file;                  // of a local store; empty: there is none
  bool token = false;                      // requests carry a token of Microsoft Entra
  std::string ca_file;                     // see Request::ca_file
  const Credential* credential = nullptr;  // of its pipeline; null: none
  std::optional<SasTerms> sas;             // of its credential, if that is a SAS

  // A text, possibly from a response, without the signatures of requests.
  std::string Showable(std::string_view text) const;
};

// How a table's requests are sent. Options of the table set it.
struct RequestOptions {
  std::chrono::milliseconds timeout{60'000};
  int retries = 5;
  // Whether a write is sent again after an attempt that may have been carried out. Its sender then
  // settles whether it was.
  bool settle = true;

  // After so long the service no longer begins a write. Source: Microsoft, "Setting timeouts for
  // Table service operations".
  std::chrono::seconds WriteTimeout() const;
};

// How requests are sent, and to which statement they belong.
struct CallOptions : RequestOptions {
  int64_t statement_id = 0;
  int64_t scan = 0;
  Budget budget;  // of the statement
};

enum class EntityVerb : uint8_t {
  kInsert,
  kInsertOrReplace,
  kInsertOrMerge,
  kReplace,  // Update Entity
  kMerge,
  kDelete,
};

// "Insert", "InsertOrReplace" and so on, the name in messages and in aztables_commits.
std::string_view VerbName(EntityVerb verb);

// The clocks of the service's machines, Timestamps included, may differ by so much.
inline constexpr int64_t kClockErrorMs = 2000;

// One operation of an EGT. It points to texts that outlive it.
// Source: Microsoft, "Insert Entity", "Update Entity", "Merge Entity", "Insert Or Replace Entity",
// "Insert Or Merge Entity", "Delete Entity".
struct EntityOperation {
  EntityVerb verb = EntityVerb::kInsert;
  std::string_view partition_key;
  std::string_view row_key;
  std::string_view if_match;    // of kReplace, kMerge and kDelete: an ETag or "*"
  std::string_view properties;  // a JSON object on one line, without the keys; not of kDelete
};

// The result of an EGT.
struct EgtResponse {
  // After a failure, failure() holds the failed operation, if the service named it, and whether the
  // last attempt may have been carried out.
  Status status;
  int http_status = 0;  // 0: no response
  std::string request_id;
  // The service carries out no write twice if its first attempt began less than so long ago. So its
  // refusals are not due to earlier attempts.
  std::chrono::seconds remembers{0};
};

class ServiceClient {
 public:
  ServiceClient(ServiceEndpoint endpoint, Pipeline* pipeline, RequestLog* log);

  const ServiceEndpoint& endpoint() const { return endpoint_; }
  // Whether the service takes comparisons of properties in a filter. Azurite fails on some of them.
  // An emulator counts as Azurite until a response has named its server.
  bool FiltersProperties() const { return filters_properties_.value_or(!endpoint_.emulator); }

  // Starts to read one page, or query.point if HasPointAddress(query). `top` is the largest number
  // of entities; 0: as many as the service returns (1000). `waits`: the caller
  // waits for it at once.
  std::unique_ptr<Exchange> StartPage(const EntityQuery& query, size_t top,
                                      const ContinuationToken& from, const CallOptions& options,
                                      bool waits = false) const;
  // The start of the next page, as soon as the head of a page's response is known.
  static ContinuationToken NextOf(const Response& head);
  // Stores the entities of the response in `page`, which is empty if there is no entity at a point.
  // Returns the start of the next page. The page must follow those of `sequence`. If `body` is not
  // null, it receives the body; it is unchanged if the response had none. REQUIRES: exchange.done()
  Result<ContinuationToken> FinishPage(const EntityQuery& query, const CallOptions& options,
                                       Exchange& exchange, PageSequence& sequence, EntityPage& page,
                                       std::string* body = nullptr) const;
  // Reads one page and waits for it. Without `sequence` it is the only page of the query.
  Result<ContinuationToken> QueryPage(const EntityQuery& query, size_t top,
                                      const ContinuationToken& from, const CallOptions& options,
                                      EntityPage& page, const Cancel& cancel,
                                      PageSequence* sequence = nullptr) const;
  // A sequence for a query of which no page was read yet.
  PageSequence NewSequence() const { return PageSequence(!endpoint_.cosmos); }
  // Whether the query has a point whose address is short enough for a point read.
  bool HasPointAddress(const EntityQuery& query) const;

  // Bytes that an operation adds to the body of an EGT.
  size_t EncodedOperationSize(const std::string& table, const EntityOperation& operation) const;
  // The largest body of an EGT here, in bytes.
  size_t MaxEgtBytes() const;
  // Starts one EGT. If an earlier attempt may have been carried out, `client_request_id` is that of
  // the attempt. Then the same operations give the same body. Empty: a new id. REQUIRES: 1 to 100
  // operations of one partition, on different entities
  std::unique_ptr<Exchange> StartEgt(const std::string& table,
                                     std::span<const EntityOperation> operations,
                                     const CallOptions& options,
                                     const std::string& client_request_id = {}) const;
  // An id for a request that may have to be sent again.
  static std::string NewRequestId();
  // The service's time of day at its last response, in milliseconds since 1970. This machine's, if
  // that had no Date.
  int64_t ServiceNowMs() const;
  // The result of the EGT. REQUIRES: exchange.done()
  EgtResponse FinishEgt(const std::string& table, std::span<const EntityOperation> operations,
                        Exchange& exchange) const;
  Pipeline* pipeline() const { return pipeline_; }

  // CreateTable() if the credential may create tables. Else false if the table can be read.
  Result<bool> CreateIfMissing(const std::string& table, const CallOptions& options,
                               const Cancel& cancel) const;
  // True if the table was created, false if it existed. Waits for a table of this name that is
  // still being deleted, at most two minutes.
  Result<bool> CreateTable(const std::string& table, const CallOptions& options,
                           const Cancel& cancel) const;
  // True if the table was deleted, false if there was none. True if there is none any more after an
  // attempt without a response.
  Result<bool> DeleteTable(const std::string& table, const CallOptions& options,
                           const Cancel& cancel) const;
  Result<std::vector<std::string>> ListTables(const CallOptions& options,
                                              const Cancel& cancel) const;

 private:
  struct LoggedResponse {
    Response response;
    int64_t log_id = 0;
  };

  Request MakeRequest(std::string_view method, std::string path, std::string_view table,
                      std::string_view kind, const CallOptions& options) const;
  // Sends and waits. A response with another status than `success` (or `also`) is an error. Its
  // message says that `what` ("reading") failed. `read` reads the response; after its error the
  // request is sent again. `doubt` receives that of the exchange.
  Result<LoggedResponse> Ask(Request request, std::string_view what, int success, int also,
                             const Cancel& cancel,
                             const std::function<Status(Response&)>& read = nullptr,
                             Doubt* doubt = nullptr) const;
  // The same for an exchange that has been sent. REQUIRES: exchange.done()
  Result<LoggedResponse> ResponseOf(Exchange& exchange, std::string_view what, int success,
                                    int also) const;
  Result<bool> IsNewerThan(const std::string& table, std::chrono::steady_clock::time_point began,
                           const CallOptions& options, const Cancel& cancel) const;
  void Record(int64_t log_id, const Status& status, int64_t entities) const;
  void NoteServer(const Response& response) const;

  ServiceEndpoint endpoint_;
  Pipeline* pipeline_;
  RequestLog* log_;
  mutable std::optional<bool> filters_properties_;  // once a response has named its server
  mutable std::optional<int64_t> service_date_ms_;  // Date of the last response
};

// T(PartitionKey='p',RowKey='r'), percent-encoded, quotes doubled.
std::string EntityAddress(std::string_view table, std::string_view partition_key,
                          std::string_view row_key);

}  // namespace aztables
