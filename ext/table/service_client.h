// ServiceClient: the operations of the Table service over one connection's pipeline: query pages,
// point reads, entity group transactions, tables. Knows URLs, headers and what each answer means;
// every failure comes back as one sentence that names the table, what was asked, what the service
// said and what to do. Source: Microsoft, Table service REST reference.
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
#include "table/entity_operation.h"
#include "table/page_sequence.h"

namespace aztables {

struct ServiceEndpoint {
  std::string connection;  // its name, for messages
  std::string origin;      // "https://acct.table.core.windows.net"
  std::string path;        // what stands before every resource; "/devstoreaccount1" on an emulator
  bool cosmos = false;
  bool emulator = false;           // what an emulator of the service serves
  std::string ca_file;             // see Request::ca_file
  const Signer* signer = nullptr;  // of its pipeline; null: none

  // The text, which an answer may have brought, without what requests were signed with.
  std::string Showable(std::string_view text) const;
};

// How requests are sent and whose they are.
struct CallOptions {
  std::chrono::milliseconds timeout{60'000};
  int retries = 5;
  int64_t statement_id = 0;
  int64_t scan = 0;
  Budget budget;  // of the statement
};

// What is read from one table.
struct EntityQuery {
  std::string table;
  std::string kind;  // in Azure's words, for the log
  // A point read, unless the address would be too long, when it is read by filter.
  std::optional<std::pair<std::string, std::string>> point;
  Conjunction filter;               // without `point`
  std::vector<Alternatives> any;    // of each, one holds; without `point`
  std::string raw_filter;           // OData as a person wrote it; in place of `filter`
  std::vector<std::string> select;  // remote names; empty: every property
};

// What became of an EGT.
struct EgtAnswer {
  // Of a failure detail() says which operation failed, where the service said so, and whether the
  // EGT may have been applied.
  Status status;
  int http_status = 0;  // 0: no answer came
  std::string request_id;
  std::vector<std::string> etags;  // where it was applied, per operation; empty of a delete
};

class ServiceClient {
 public:
  ServiceClient(ServiceEndpoint endpoint, Pipeline* pipeline, RequestLog* log);

  const ServiceEndpoint& endpoint() const { return endpoint_; }

  // Starts to read one page, or query.point where HasPointAddress(query). `top` is the most
  // entities wanted, 0 for as many as the service gives (1000).
  std::unique_ptr<Exchange> StartPage(const EntityQuery& query, size_t top,
                                      const ContinuationToken& from,
                                      const CallOptions& options) const;
  // What came: the entities in `page`, which is empty where there is no entity at a point. Returns
  // where the next page begins. The page has to follow those of `sequence`. `body` gets what was
  // read, where it is not null; it is left as it was where the answer had none.
  // REQUIRES: exchange.done()
  Result<ContinuationToken> FinishPage(const EntityQuery& query, const CallOptions& options,
                                       Exchange& exchange, PageSequence& sequence, EntityPage& page,
                                       std::string* body = nullptr) const;
  // Starts to read a page, as the only one, and waits for it.
  Result<ContinuationToken> QueryPage(const EntityQuery& query, size_t top,
                                      const ContinuationToken& from, const CallOptions& options,
                                      EntityPage& page, const Cancel& cancel) const;
  // The same for a page of `sequence`.
  Result<ContinuationToken> QueryPage(const EntityQuery& query, size_t top,
                                      const ContinuationToken& from, const CallOptions& options,
                                      PageSequence& sequence, EntityPage& page,
                                      const Cancel& cancel) const;
  // The pages of a query, none of which was read yet.
  PageSequence NewSequence() const { return PageSequence(!endpoint_.cosmos); }
  // Whether the query has a point whose address is short enough to be read by.
  bool HasPointAddress(const EntityQuery& query) const;

  // Bytes that an operation adds to the body of an EGT.
  size_t EncodedOperationSize(const std::string& table, const EntityOperation& operation) const;
  // Most bytes that the body of an EGT may have here.
  size_t MaxEgtBytes() const;
  // Starts one EGT. REQUIRES: 1 to 100 operations of one partition, on different entities
  std::unique_ptr<Exchange> StartEgt(const std::string& table,
                                     std::span<const EntityOperation> operations,
                                     const CallOptions& options) const;
  // What became of it. REQUIRES: exchange.done()
  EgtAnswer FinishEgt(const std::string& table, std::span<const EntityOperation> operations,
                      Exchange& exchange) const;
  Pipeline* pipeline() const { return pipeline_; }

  // True if the table was created, false if it existed.
  Result<bool> CreateTable(const std::string& table, const CallOptions& options,
                           const Cancel& cancel) const;
  // True if the table was deleted, false if there was none.
  Result<bool> DeleteTable(const std::string& table, const CallOptions& options,
                           const Cancel& cancel) const;
  Result<std::vector<std::string>> ListTables(const CallOptions& options,
                                              const Cancel& cancel) const;

 private:
  struct Answer {
    Response response;
    int64_t log_id = 0;
  };

  Request MakeRequest(std::string_view method, std::string path, std::string_view table,
                      std::string_view kind, const CallOptions& options) const;
  // Sends and waits. An answer with another status than `success` (or `also`) is an error, told as
  // the failure of `what` ("reading").
  Result<Answer> Ask(Request request, std::string_view what, int success, int also,
                     const Cancel& cancel) const;
  // The same of what has been sent. REQUIRES: exchange.done()
  Result<Answer> AnswerOf(Exchange& exchange, std::string_view what, int success, int also) const;
  std::string QueryOptions(const std::string& filter, const std::vector<std::string>& select,
                           size_t top, const ContinuationToken& from) const;
  void Record(int64_t log_id, const Status& status, int64_t entities) const;

  ServiceEndpoint endpoint_;
  Pipeline* pipeline_;
  RequestLog* log_;
};

// T(PartitionKey='p',RowKey='r'), percent-encoded, quotes doubled.
std::string EntityAddress(std::string_view table, std::string_view partition_key,
                          std::string_view row_key);

}  // namespace aztables
