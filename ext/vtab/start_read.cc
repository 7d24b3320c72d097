// StartRead: what xFilter begins: the plan bound to its values, read where the table is, under what
// the transaction has pending; see table.h.
#include <algorithm>

#include "aztables/plan/bound_read.h"
#include "table.h"
#include "transaction.h"

namespace aztables {
namespace {

Table& TableOf(const Cursor& cursor) { return *static_cast<Table*>(cursor.pVtab); }

// What the plan reads of each entity, and where each column's cell will be.
Projection MakeProjection(const Schema& schema, const ReadPlan& plan,
                          std::vector<size_t>& cell_of) {
  Projection projection;
  cell_of.assign(static_cast<size_t>(schema.ColumnCount()), Cursor::kNoCell);
  cell_of[Schema::kPartitionKey] = EntityPage::kPartitionKey;
  cell_of[Schema::kRowKey] = EntityPage::kRowKey;
  cell_of[Schema::kTimestamp] = EntityPage::kTimestamp;
  cell_of[static_cast<size_t>(schema.EtagColumn())] = EntityPage::kEtag;
  projection.entity = plan.select.empty();
  if (projection.entity) {
    cell_of[static_cast<size_t>(schema.EntityColumn())] = EntityPage::kEntity;
  }
  for (int i = Schema::kFirstProperty; i < schema.EtagColumn(); ++i) {
    const std::string name(schema.RemoteName(i));
    if (!plan.select.empty() &&
        std::find(plan.select.begin(), plan.select.end(), name) == plan.select.end()) {
      continue;
    }
    auto& names = projection.properties;
    const auto place = std::find(names.begin(), names.end(), name);
    cell_of[static_cast<size_t>(i)] =
        EntityPage::kFirstProperty + static_cast<size_t>(place - names.begin());
    if (place == names.end()) names.push_back(name);
  }
  return projection;
}

// The most pending deletes that the first page is made larger for.
constexpr size_t kMostDeleted = 1000;

// What the transaction does to the entity of a point read, where that is all there is to know.
bool IsKnown(const EntityWrite* write) {
  return write != nullptr &&
         (write->verb == WriteVerb::kInsert || write->verb == WriteVerb::kDelete);
}

// Where the table is. As long as it takes part in a transaction, it stays there, whatever becomes
// of the name of its connection.
Status Locate(Cursor& cursor) {
  Table& table = TableOf(cursor);
  // A table that was created in the transaction got no xBegin. What forbids writing, the row says.
  if (table.created && cursor.statement.writes && !table.writing) {
    static_cast<void>(JoinWrites(table));
  }
  if (table.writing) {
    cursor.connection = table.writing_connection;
    cursor.remote = table.writing;
    return {};
  }
  auto connection = cursor.session->Find(table.options.connection);
  if (!connection.ok()) return connection.status();
  cursor.connection = std::move(*connection);
  cursor.remote = cursor.session->Remote(*cursor.connection, table.options.table);
  return {};
}

// A read by rowid is a point read.
Status FindPoint(const Cursor& cursor, BoundRead& read) {
  read.point = cursor.remote->rowids.Find(*read.rowid);
  read.kind = ReadKind::kPoint;
  if (read.point) return {};
  return Status::Error("table " + TableOf(cursor).name + ": the rowid " +
                       std::to_string(*read.rowid) +
                       " is not known on this database connection any more; read the row again by "
                       "its keys");
}

// Remembers where a statement begins to change the table.
void NoteChanging(Table& table, const StatementTracker::Statement& statement) {
  if (!statement.writes || !table.writing || table.changing_statement == statement.id) return;
  table.changing_statement = statement.id;
  table.changes_from = table.writing->writes.next_sequence();
}

}  // namespace

Status StartRead(Cursor& cursor, const char* index_text, const std::vector<SqlValue>& values) {
  Table& table = TableOf(cursor);
  cursor.read.reset();
  cursor.at_end = true;
  AZTABLES_RETURN_IF_ERROR(table.broken);
  const auto plan = DecodePlan(index_text ? index_text : "");
  if (!plan.ok()) return plan.status();
  const TableOptions& options = table.options;
  if (cursor.statement.id == 0) cursor.statement = cursor.session->statements().OfPlan(index_text);
  AZTABLES_RETURN_IF_ERROR(Locate(cursor));
  AZTABLES_RETURN_IF_ERROR(DropRowsOfUncreated(*table.transactions));
  const bool writes = cursor.statement.writes;
  AZTABLES_RETURN_IF_ERROR(cursor.turns.Begin(*cursor.remote, writes, "table " + table.name));
  cursor.sent_through = cursor.remote->sent_through;
  // A statement that writes does not meet its own rows, however often it reads.
  if (!writes || !cursor.turns.again()) cursor.pending = cursor.remote->writes.Snapshot();
  const std::shared_ptr<Connection>& connection = cursor.connection;

  BoundRead read = BindRead(*plan, values);
  if (read.empty) return {};
  if (read.rowid) AZTABLES_RETURN_IF_ERROR(FindPoint(cursor, read));
  NoteChanging(table, cursor.statement);
  CallOptions call = table.Call(cursor.statement);
  call.scan = cursor.session->statements().NextScan();
  const Projection projection = MakeProjection(table.declaration.schema, *plan, cursor.cell_of);
  OverlaidRead::Setting setting{.pending = cursor.pending,
                                .limits = KeyLimits(read),
                                .ordered = !connection->client->endpoint().cosmos,
                                .table_may_lack = options.create_missing,
                                .reader = &table.session->entity_reader()};
  bool known = false;
  if (read.point) {
    const auto write = setting.pending.Find({read.point->first, read.point->second});
    if (!write.ok()) return write.status();
    // A statement that writes has to know whether the service has the entity, too.
    known = IsKnown(*write) && !cursor.statement.writes;
  }
  if (read.page_hint > 0) read.page_hint += setting.pending.CountDeleted(kMostDeleted);
  std::unique_ptr<GuardedRead> remote_rows;
  if (!known) {
    const bool keyed = read.kind != ReadKind::kTableScan;
    EntityQuery query{.table = options.table,
                      .kind = std::string(ReadKindName(read.kind)),
                      .point = std::move(read.point),
                      .filter = std::move(read.filter),
                      .raw_filter = "",
                      .select = plan->select};
    remote_rows = std::make_unique<GuardedRead>(cursor.session.get(), connection, table.Rules(),
                                                keyed, &cursor.guard, std::move(query), projection,
                                                read.page_hint, std::move(call));
    if (cursor.turns.again()) remote_rows->ComesAgain();
    if (cursor.collects) remote_rows->Collects();
  }
  cursor.read =
      std::make_unique<OverlaidRead>(std::move(remote_rows), projection, std::move(setting));
  return {};
}

}  // namespace aztables
