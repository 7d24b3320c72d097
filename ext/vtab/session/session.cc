// Session: see session.h.
#include "vtab/session/session.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "base/encoding.h"
#include "http/curl_transport.h"
#include "identity/identities.h"
#include "model/limits.h"
#include "model/similar_names.h"
#include "platform/file.h"
#include "service/local_transport.h"
#include "vtab/sqlite/sql.h"

namespace aztables {
namespace {

// The file of a local store; empty if it has none.
std::string StoreFile(const ConnectionSettings& settings) {
  const bool local = settings.kind == EndpointKind::kLocal;
  return local && settings.local_store != ":memory:" ? settings.local_store : "";
}

// A path that cannot be read counts as a different file: opening it returns the reason.
bool IsSameFile(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto one = IdOfFile(a);
  return one && one == IdOfFile(b);
}

bool IsFileOf(const std::string& path, const std::string& database) {
  constexpr const char* kEnds[] = {"", "-journal", "-wal", "-shm"};
  return std::any_of(std::begin(kEnds), std::end(kEnds),
                     [&](const char* end) { return IsSameFile(path, database + end); });
}

// Checks before each request that the store at a path is no file of a database of the connection:
// their locks would wait for each other.
class StoreCheck {
 public:
  StoreCheck(sqlite3* db, std::string path) : db_(db), path_(std::move(path)) {}

  Status operator()() {
    if (path_ == ":memory:" || IsKnown()) return {};
    auto databases = DatabaseNames(db_);
    // An authorizer may forbid the list; the main database does not need it.
    if (!databases.ok()) databases = std::vector<std::string>{"main"};
    std::vector<std::string> files;
    for (const std::string& name : *databases) files.emplace_back(FileOf(name.c_str()));
    for (size_t i = 0; i < files.size(); ++i) {
      if (files[i].empty() || !IsFileOf(path_, files[i])) continue;
      return Status::Error("the store " + path_ + " is a file of the database '" + (*databases)[i] +
                           "' of this connection: name another file");
    }
    // A store that does not exist yet may become the same file.
    if (!IsMissingFile(path_)) other_files_ = std::move(files);
    return {};
  }

 private:
  std::string_view FileOf(const char* database) const {
    const char* const file = sqlite3_db_filename(db_, database);
    return file != nullptr ? file : "";
  }
  // Whether the databases have the same files as when they were checked last.
  bool IsKnown() const {
    size_t count = 0;
    bool same = true;
    const auto compare = [&](const char* name) {
      same = same && count < other_files_.size() && FileOf(name) == other_files_[count];
      ++count;
    };
    const Status visited = VisitDatabases(db_, std::ref(compare));
    return visited.ok() && same && count == other_files_.size();
  }

  sqlite3* db_;
  std::string path_;
  std::vector<std::string> other_files_;  // of databases that the store is not a file of
};

}  // namespace

std::string Connection::Describe() const {
  const ConnectionSettings& settings = resolved.settings;
  std::string text = name + ": " + settings.Place();
  if (bearer != nullptr) {
    text += ", " + bearer->Identity();
  } else if (settings.credential != CredentialKind::kNone) {
    text += ", " + std::string(CredentialKindName(settings.credential));
  }
  text += " from " + resolved.source;
  if (settings.read_only) text += ", read-only";
  if (!settings.simulation.empty()) text += ", simulated";
  if (IsMissingFile(StoreFile(settings))) text += ", new: there is no such file yet";
  return text;
}

Status Connection::CheckTable(std::string_view table) const {
  if (client->endpoint().cosmos || IsMetricsTable(table)) return CheckTableName(table);
  return CheckStorageTableName(table);
}

Status Connection::CheckNewTable(std::string_view table) const {
  return client->endpoint().cosmos ? CheckTableName(table) : CheckStorageTableName(table);
}

Status Connection::Note(Status status) {
  if (!status.ok()) last_error = status.message();
  return status;
}

Session::Session(sqlite3* db) : db_(db), statements_(db), transport_(MakeCurlTransport()) {}

Session::~Session() = default;

Result<Transport*> Session::TransportFor(const std::string& name, ConnectionSettings& settings) {
  if (settings.kind != EndpointKind::kLocal) return transport_.get();
  std::string& path = settings.local_store;
  if (path != ":memory:") path = ResolvePath(path);
  const std::string key = path == ":memory:" ? path + name : path;
  std::unique_ptr<Transport>& store = stores_[{key, settings.simulation}];
  if (!store) {
    auto made = MakeLocalTransport(path, StoreCheck(db_, path), settings.simulation);
    if (!made.ok()) return made.status();
    store = std::move(*made);
  }
  return store.get();
}

Result<std::shared_ptr<Connection>> Session::Wire(std::string name, ResolvedConnection resolved) {
  auto connection = std::make_shared<Connection>();
  connection->name = std::move(name);
  connection->resolved = std::move(resolved);
  const auto transport = TransportFor(connection->name, connection->resolved.settings);
  if (!transport.ok()) return transport.status().In("connection '" + connection->name + "'");
  const ConnectionSettings& settings = connection->resolved.settings;
  if (settings.credential == CredentialKind::kIdentity) {
    auto sender = std::make_shared<TokenSender>(*transport, &log_, &Clock::System(),
                                                connection->name, settings.ca_file);
    auto credential =
        MakeBearerCredential(MakeTokenSource(settings.identity, environment_, std::move(sender)),
                             settings.identity.scope);
    connection->bearer = credential.get();
    connection->credential = std::move(credential);
  } else {
    connection->credential = MakeCredential(settings);
  }
  connection->pipeline =
      MakePipeline(*transport, connection->credential.get(), &log_, &Clock::System());
  connection->client = std::make_unique<ServiceClient>(
      ServiceEndpoint{.connection = connection->name,
                      .origin = settings.endpoint.Origin(),
                      .path = settings.endpoint.path,
                      .cosmos = settings.kind == EndpointKind::kCosmos,
                      .emulator = settings.kind == EndpointKind::kEmulator,
                      .local = settings.kind == EndpointKind::kLocal,
                      .store_file = StoreFile(settings),
                      .token = settings.credential == CredentialKind::kIdentity,
                      .ca_file = settings.ca_file,
                      .credential = connection->credential.get(),
                      .sas = settings.credential == CredentialKind::kSas
                                 ? std::optional(ReadSasTerms(settings.key.Reveal()))
                                 : std::nullopt},
      connection->pipeline.get(), &log_);
  return connection;
}

Result<std::shared_ptr<Connection>> Session::Connect(const std::string& name,
                                                     std::string_view how) {
  if (!IsConnectionName(name)) {
    return Status::Error("the name of a connection has letters, digits, _ and - only, at most " +
                         std::to_string(kMaxConnectionName) + " of them");
  }
  auto resolved = ResolveHow(how, environment_);
  if (!resolved.ok()) return resolved.status().In("connection '" + name + "'");
  auto connection = Wire(name, std::move(*resolved));
  if (!connection.ok()) return connection;
  trust_.Connected(name, how);
  ForgetInline();
  return connections_[name] = std::move(*connection);
}

bool Session::Disconnect(const std::string& name) {
  trust_.Disconnected(name);
  ForgetInline();
  return connections_.erase(name) > 0;
}

void Session::ForgetInline() {
  std::erase_if(connections_, [](const auto& entry) { return entry.second->form.has_value(); });
}

Result<std::shared_ptr<Connection>> Session::FindInline(const std::string& text) {
  AZTABLES_RETURN_IF_ERROR(CheckInline(text));
  const auto known = connections_.find(text);
  const auto form = known != connections_.end() ? known->second->form : InlineFormOf(text);
  if (!form) return Status::Error("the connection is not an inline form");
  const auto use = trust_.UseOf(*form, text);
  if (!use.ok()) return use.status();
  const bool read_only = *use == Trust::Use::kReadOnly;
  if (known != connections_.end() && known->second->bound_read_only == read_only) {
    return known->second;
  }
  auto resolved = ResolveInline(form->text, environment_);  // a path stays as written
  if (!resolved.ok()) return resolved.status();
  if (read_only) resolved->settings.read_only = true;
  auto connection = Wire(text, std::move(*resolved));
  if (!connection.ok()) return connection;
  (*connection)->form = form;
  (*connection)->bound_read_only = read_only;
  return connections_[text] = std::move(*connection);
}

std::vector<std::string> Session::NamesLike(const std::string& name) const {
  constexpr size_t kMostListed = 8;
  constexpr size_t kMostSimilar = 3;
  const std::vector<std::string> variables = NamesInEnvironment();
  std::set<std::string> names(variables.begin(), variables.end());
  for (const auto& [key, connection] : connections_) {
    if (!connection->form) names.insert(key);
  }
  const std::vector<std::string> all(names.begin(), names.end());
  return all.size() <= kMostListed ? all : SimilarNames(name, all, kMostSimilar);
}

Result<std::shared_ptr<Connection>> Session::Find(std::string_view name) {
  const std::string key(TrimBlanks(name));
  if (!IsConnectionName(key)) return FindInline(key);
  const auto known = connections_.find(key);
  if (known != connections_.end()) return known->second;
  auto resolved = ResolveName(key, environment_, NamesLike(key));
  if (!resolved.ok()) return resolved.status();
  auto connection = Wire(key, std::move(*resolved));
  if (!connection.ok()) return connection;
  return connections_[key] = std::move(*connection);
}

Result<std::shared_ptr<Connection>> Session::FindFor(std::string_view name,
                                                     std::string_view table) {
  auto connection = Find(name);
  if (!connection.ok()) return connection;
  AZTABLES_RETURN_IF_ERROR((*connection)->CheckTable(table));
  return connection;
}

std::shared_ptr<RemoteTable> Session::Remote(const Connection& connection, std::string_view table) {
  const ConnectionSettings& settings = connection.resolved.settings;
  std::string key = settings.Place();
  if (settings.local_store == ":memory:") key = connection.name + "=" + key;
  key += '/';
  key += settings.kind == EndpointKind::kCosmos ? std::string(table) : ToLowerAscii(table);
  std::shared_ptr<RemoteTable>& remote = remotes_[key];
  if (!remote) remote = std::make_shared<RemoteTable>();
  return remote;
}

CallOptions Session::Options(const StatementTracker::Statement& statement) {
  CallOptions options;
  options.statement_id = statement.id;
  options.budget.spending = statement.spending;
  return options;
}

bool Session::utf8() {
  if (!utf8_) {
    bool utf8 = true;
    const Status asked = RunSql(db_, "PRAGMA encoding", {},
                                [&](sqlite3_stmt* row) { utf8 = ColumnText(row, 0) == "UTF-8"; });
    // An authorizer may forbid the query. After an interrupt it is repeated later: SQLite would
    // turn an interrupt in xBestIndex into SQLITE_ERROR, and ends the statement itself.
    if (!asked.ok() && asked.code() != Code::kAuth) return false;
    utf8_ = utf8;
  }
  return *utf8_;
}

Status Session::CheckWritable() {
  if (sqlite3_db_readonly(db_, "main") == 1) {
    return {Code::kReadOnly, "the main database was opened read-only: nothing may be changed"};
  }
  bool query_only = false;  // if an authorizer forbids to ask, SQLite itself refuses to write
  static_cast<void>(RunSql(db_, "PRAGMA query_only", {}, [&](sqlite3_stmt* row) {
    query_only = sqlite3_column_int(row, 0) != 0;
  }));
  if (query_only) return {Code::kReadOnly, "PRAGMA query_only is on: nothing may be changed"};
  return {};
}

void Session::CursorClosed() {
  if (--open_cursors_ > 0) return;
  for (auto& [key, remote] : remotes_) remote->rowids.Trim();
}

}  // namespace aztables
