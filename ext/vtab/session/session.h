// Session: everything that the extension holds for one database connection: its connections to
// table services, the request log, and per remote table the rowids and the unsent writes. This is
// where a connection is wired together: settings, signer, pipeline, transport, client.
//
// Ownership: shared by all modules and functions of the database connection; it goes with the last.
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "auth/connection_source.h"
#include "base/status.h"
#include "http/pipeline.h"
#include "http/request_log.h"
#include "odata/entity_reader.h"
#include "plan/planner.h"
#include "schema/table_name.h"
#include "table/answer_cache.h"
#include "table/service_client.h"
#include "vtab/session/keys_seen.h"
#include "vtab/session/overrides.h"
#include "vtab/session/property_names.h"
#include "vtab/session/rowid_map.h"
#include "vtab/session/rows_read.h"
#include "vtab/session/statements.h"
#include "vtab/session/trust.h"
#include "vtab/sqlite/schema_rows.h"
#include "vtab/sqlite/sqlite_api.h"
#include "write/commit_history.h"
#include "write/write_log.h"

namespace aztables {

class GuardedRead;
struct Table;

// A connection to a table service. Immutable but for last_error.
struct Connection {
  std::string name;                // as registered, or the inline form as it was written
  std::optional<InlineForm> form;  // of an inline form
  bool bound_read_only = false;    // by ReadOnly=true, which the user gave for that form
  ResolvedConnection resolved;
  std::unique_ptr<Signer> signer;
  std::unique_ptr<Pipeline> pipeline;
  std::unique_ptr<ServiceClient> client;
  std::string last_error;

  // "prod: https://acct.table.core.windows.net, account key from env:PROD": no secret in it.
  std::string Describe() const;
  // OK if a table of its service can have the name; a new one, too, if the user makes it.
  Status CheckTable(std::string_view table) const;
  Status CheckNewTable(std::string_view table) const;
  // Remembers an error for aztables_connections and hands it on.
  Status Note(Status status);
};

// What the database connection knows of one remote table, whatever virtual tables are over it.
struct RemoteTable {
  RowidMap rowids;
  WriteLog writes;
  int writers = 0;                     // virtual tables that take part in the transaction
  RowsRead rows_read;                  // by the statements of the transaction that write
  KeysSeen keys_seen;                  // since one of them took part
  KeysSeen refused_inserts;            // that left before COMMIT
  std::set<const GuardedRead*> reads;  // that are under way
  int64_t answered = 0;                // the last statement that an answer came for
  bool refuses_filters = false;        // of properties: comparisons of theirs are not sent any more
  PropertyNames names;
  TableShape shape;        // as the last read of the whole table has shown it
  int64_t queried_by = 0;  // the last statement that writes and reads by aztables_query
  // With bulk=on, in a transaction: how many pending entities are worth a look at what can be sent,
  // up to which write was sent, and whether that has failed.
  size_t send_at = 0;
  size_t unsendable = 0;  // bytes that were left when all was sent: of writes that come to nothing
  int64_t sent_through = 0;
  bool send_failed = false;

  // A virtual table takes part in the transaction no more; the last one clears what is of it.
  void Leave();
};

class Session {
 public:
  explicit Session(sqlite3* db);
  ~Session();

  sqlite3* db() const { return db_; }
  RequestLog& log() { return log_; }
  StatementTracker& statements() { return statements_; }
  const StatementTracker& statements() const { return statements_; }
  CommitHistory& commits() { return commits_; }
  const CommitHistory& commits() const { return commits_; }
  EntityReader& entity_reader() { return entity_reader_; }
  // What the statement that reads has got.
  AnswerCache& answers() { return answers_; }

  // aztables_connect and aztables_disconnect.
  Result<std::shared_ptr<Connection>> Connect(const std::string& name, std::string_view how);
  bool Disconnect(const std::string& name);
  // The connection that a table or function names: registered, from the environment, or inline.
  // kAuth for an inline form that the user has not named.
  Result<std::shared_ptr<Connection>> Find(std::string_view name);
  // The same, for requests about that table: an error, too, if the service can have none of that
  // name.
  Result<std::shared_ptr<Connection>> FindFor(std::string_view name, std::string_view table);
  const std::map<std::string, std::shared_ptr<Connection>>& connections() const {
    return connections_;
  }
  // What the user has named on this database connection.
  Trust& trust() { return trust_; }

  // What is known of the remote table `table` behind `connection`; the same for every connection
  // that leads to the same account. Table names are case-insensitive on storage.
  std::shared_ptr<RemoteTable> Remote(const Connection& connection, std::string_view table);

  // The virtual tables that SQLite has connected on this database connection.
  std::set<Table*>& tables() { return tables_; }
  Overrides& overrides() { return overrides_; }
  SchemaRows& schema_rows() { return schema_rows_; }

  // Whether the databases hold text as UTF-8: else BINARY is another order than that of UTF-8
  // bytes. False as long as it cannot be known.
  bool utf8();

  // Options for a request of the statement that runs now.
  CallOptions Options() { return Options(statements_.Current()); }
  // The same for a statement that is known.
  static CallOptions Options(const StatementTracker::Statement& statement);

  // OK if functions may change something: not under PRAGMA query_only, nor where the main database
  // was opened read-only.
  Status CheckWritable();

  // Cursors that are open; when the last one closes, old rowids may be forgotten.
  void CursorOpened() { ++open_cursors_; }
  void CursorClosed();
  bool scanning() const { return open_cursors_ > 0; }

 private:
  // Inline connections are made anew at their next use: what a file or variable holds may be new.
  void ForgetInline();
  // The connection of an inline form, as far as the user allows it.
  Result<std::shared_ptr<Connection>> FindInline(const std::string& text);
  std::shared_ptr<Connection> Wire(std::string name, ResolvedConnection resolved);
  // What carries the requests of a connection named `name`.
  Transport* TransportFor(const std::string& name, ConnectionSettings& settings);

  sqlite3* db_;
  Environment environment_ = ProcessEnvironment();
  Trust trust_{environment_};
  RequestLog log_;
  StatementTracker statements_;
  CommitHistory commits_;
  EntityReader entity_reader_;
  AnswerCache answers_;
  // These outlive the connections: the network, and one for each local store, by its path, or for
  // one in memory by the name of its connection.
  std::unique_ptr<Transport> transport_;
  std::map<std::string, std::unique_ptr<Transport>> stores_;
  std::map<std::string, std::shared_ptr<Connection>> connections_;
  std::map<std::string, std::shared_ptr<RemoteTable>> remotes_;
  std::set<Table*> tables_;
  Overrides overrides_;
  SchemaRows schema_rows_{db_};
  std::optional<bool> utf8_;  // once it was looked for: it does not change any more
  int open_cursors_ = 0;
};

}  // namespace aztables
