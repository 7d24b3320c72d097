// Session: the state of the extension for one database connection. It holds the connections to
// table services, the request log, and per remote table the rowids and the unsent writes. It
// assembles a connection from settings, credential, pipeline, transport and client.
//
// Ownership: shared by all modules and functions of the database connection; freed with the last.
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "auth/connection_source.h"
#include "base/status.h"
#include "http/pipeline.h"
#include "http/request_log.h"
#include "identity/bearer_credential.h"
#include "odata/entity_reader.h"
#include "plan/planner.h"
#include "read/scan_record.h"
#include "table/page_pool.h"
#include "table/response_cache.h"
#include "table/service_client.h"
#include "table/table_sample.h"
#include "vtab/session/bulk_state.h"
#include "vtab/session/overrides.h"
#include "vtab/session/pending_writes.h"
#include "vtab/session/property_names.h"
#include "vtab/session/rowid_map.h"
#include "vtab/session/statements.h"
#include "vtab/sqlite/schema_rows.h"
#include "vtab/sqlite/sqlite_api.h"
#include "vtab/trust/trust.h"
#include "write/commit_history.h"
#include "write/egt_plan.h"
#include "write/open_egts.h"

namespace aztables {

class BudgetedPageReader;
class ScanHold;
struct Table;

// A connection to a table service. Immutable except for last_error.
struct Connection {
  std::string name;                // as registered, or the inline form as written
  std::optional<InlineForm> form;  // of an inline form
  bool bound_read_only = false;    // the user gave ReadOnly=true for that form
  ResolvedConnection resolved;
  std::unique_ptr<Credential> credential;
  const BearerCredential* bearer = nullptr;  // the same, if it is an identity
  std::unique_ptr<Pipeline> pipeline;
  std::unique_ptr<ServiceClient> client;
  std::string last_error;

  // "prod: https://acct.table.core.windows.net, account key from env:PROD": without secrets.
  std::string Describe() const;
  // OK if a table of its service can have the name; CheckNewTable(): if the user can create such a
  // table.
  Status CheckTable(std::string_view table) const;
  Status CheckNewTable(std::string_view table) const;
  // Records an error for aztables_connections and returns it.
  Status Note(Status status);
};

// What the database connection knows of one remote table, for all virtual tables over it.
struct RemoteTable {
  PagePool pages;
  RowidMap rowids;
  PendingWrites pending;                      // of the transaction
  BulkState bulk;                             // of the transaction
  std::set<const BudgetedPageReader*> reads;  // under way
  std::set<const ScanHold*> scans;            // of windows of keys
  int64_t last_read_by = 0;                   // the last statement that received a page
  // The last statement to which the service reported that the table is missing. 0: none, or the
  // table may exist by now.
  int64_t missing_for = 0;
  PropertyNames names;
  // The last entities that had another type than an inferred column, without duplicates.
  std::vector<SampledKey> misfits;
  // From the last read of the whole table.
  TableShape shape;
  KnownKeys keys;
  int64_t queried_by = 0;  // the last writing statement that reads by aztables_query

  void Learn(ScanRecord& whole) {
    shape = whole.Shape();
    keys = whole.TakeKeys();
  }

  void NoteMisfit(EntityKeyView key) {
    constexpr size_t kMost = 5;  // each is one more request of a sample
    SampledKey one(key.partition_key, key.row_key);
    std::erase(misfits, one);
    if (misfits.size() == kMost) misfits.erase(misfits.begin());
    misfits.push_back(std::move(one));
  }

  // A virtual table leaves the transaction; the last one clears the transaction's data.
  void Leave() {
    if (pending.Leave()) bulk = {};
  }
};

// What the virtual tables of one database connection share during a transaction.
struct TransactionState {
  std::vector<Table*> participants;  // in the order in which they joined
  // The plan of a COMMIT that was tried. If the service was busy, or SQLite itself could not
  // finish, SQLite leaves the transaction open. A repeated COMMIT continues with this plan.
  struct Plan {
    std::vector<std::shared_ptr<Connection>> connections;  // of the writes, kept
    std::vector<TableWrites> writes;
    std::vector<Egt> egts;
  };
  std::optional<Plan> plan;
  std::unique_ptr<OpenEgts> open;  // sent by bulk=on; COMMIT settles them. Null: none
  bool sent = false;               // all of it was sent, and successfully
  bool may_repeat_commit = false;  // BEGIN has begun it: a COMMIT that is busy leaves it open
  // ROLLBACK TO ran within a statement. If that statement writes by a trigger, SQLite does not
  // distinguish it from a later one.
  bool rolled_back_within = false;
  // Why the COMMIT must fail. Either SQLite rolled local tables back to a savepoint and the service
  // could not follow, or writes sent before COMMIT were refused or have an unknown outcome.
  Status commit_error;
};

class Session {
 public:
  explicit Session(sqlite3* db);
  ~Session();

  sqlite3* db() const { return db_; }
  RequestLog& log() { return log_; }
  StatementTracker& statements() { return statements_; }
  CommitHistory& commits() { return commits_; }
  EntityReader& entity_reader() { return entity_reader_; }
  // The responses that the reading statement has received.
  ResponseCache& responses() { return responses_; }

  // aztables_connect and aztables_disconnect.
  Result<std::shared_ptr<Connection>> Connect(const std::string& name, std::string_view how);
  bool Disconnect(const std::string& name);
  // The connection that a table or function names: registered, from the environment, or inline.
  // kAuth for an inline form that the user has not named.
  Result<std::shared_ptr<Connection>> Find(std::string_view name);
  // The same, for requests about that table: also an error if the service cannot have a table of
  // that name.
  Result<std::shared_ptr<Connection>> FindFor(std::string_view name, std::string_view table);
  const std::map<std::string, std::shared_ptr<Connection>>& connections() const {
    return connections_;
  }
  // The connections that the user has named on this database connection.
  Trust& trust() { return trust_; }

  // The state of the remote table `table` of `connection`. All connections to the same account
  // share it. Table names are case-insensitive on storage.
  std::shared_ptr<RemoteTable> Remote(const Connection& connection, std::string_view table);

  // The virtual tables that SQLite has connected on this database connection.
  std::set<Table*>& tables() { return tables_; }
  // A number for a virtual table, never used again.
  int64_t NextTableId() { return ++table_ids_; }
  TransactionState& transaction() { return transaction_; }
  Overrides& overrides() { return overrides_; }
  SchemaRows& schema_rows() { return schema_rows_; }

  // Whether the databases hold text as UTF-8; otherwise BINARY does not follow the order of UTF-8
  // bytes. False as long as this cannot be known.
  bool utf8();

  // Options for a request of the running statement.
  CallOptions Options() { return Options(statements_.Current()); }
  // The same for a known statement.
  static CallOptions Options(const StatementTracker::Statement& statement);

  // OK if functions may write: not under PRAGMA query_only, nor if the main database was opened
  // read-only.
  Status CheckWritable();

  // Counts open cursors; when the last one closes, old rowids may be forgotten.
  void CursorOpened() { ++open_cursors_; }
  void CursorClosed();
  bool scanning() const { return open_cursors_ > 0; }

 private:
  // Makes inline connections again at their next use: a file or variable may have new contents.
  void ForgetInline();
  // The connection of an inline form, as far as the user allows it.
  Result<std::shared_ptr<Connection>> FindInline(const std::string& text);
  // The names of the connections that exist; of many, those that are similar to `name`.
  std::vector<std::string> NamesLike(const std::string& name) const;
  Result<std::shared_ptr<Connection>> Wire(std::string name, ResolvedConnection resolved);
  // The transport for the requests of a connection named `name`.
  Result<Transport*> TransportFor(const std::string& name, ConnectionSettings& settings);

  sqlite3* db_;
  Environment environment_ = ProcessEnvironment();
  Trust trust_{environment_};
  RequestLog log_;
  StatementTracker statements_;
  CommitHistory commits_;
  EntityReader entity_reader_;
  ResponseCache responses_;
  // The transports outlive the connections: the network, and one for each local store. The key of a
  // store is its path, or for a store in memory the name of its connection, and the plan of its
  // simulation.
  std::unique_ptr<Transport> transport_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<Transport>> stores_;
  std::map<std::string, std::shared_ptr<Connection>> connections_;
  std::map<std::string, std::shared_ptr<RemoteTable>> remotes_;
  std::set<Table*> tables_;
  int64_t table_ids_ = 0;
  TransactionState transaction_;
  Overrides overrides_;
  SchemaRows schema_rows_{db_};
  std::optional<bool> utf8_;  // once determined: it does not change any more
  int open_cursors_ = 0;
};

}  // namespace aztables
