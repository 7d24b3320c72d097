// TablePart: the part of a virtual table in the transaction of its database connection.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "vtab/session/session.h"
#include "write/write_log.h"

namespace aztables {

class TablePart {
 public:
  // The table writes to `remote`, and no more to what it has joined before.
  void Join(std::shared_ptr<Connection> connection, std::shared_ptr<RemoteTable> remote) {
    remote->pending.Join();  // before the old one may be left
    LeaveRemote();
    connection_ = std::move(connection);
    remote_ = std::move(remote);
  }
  void LeaveRemote() {
    if (remote_) remote_->Leave();
    remote_.reset();
    connection_.reset();
  }
  // The transaction has ended.
  void End() {
    LeaveRemote();
    *this = {};
  }
  bool joined() const { return remote_ != nullptr; }
  // REQUIRES: joined()
  RemoteTable& remote() const { return *remote_; }
  PendingWrites& pending() const { return remote_->pending; }
  const std::shared_ptr<RemoteTable>& shared_remote() const { return remote_; }
  const std::shared_ptr<Connection>& connection() const { return connection_; }
  // The next write of the remote table's log; 0 without one.
  int64_t next_sequence() const { return remote_ ? remote_->pending.log().next_sequence() : 0; }
  // Whether something was sent to the remote table before COMMIT.
  bool any_sent() const { return remote_ && remote_->bulk.sent_through() > 0; }

  // The table was created in the transaction, under this name.
  void SetCreated(const std::string& name) { created_as_ = name; }
  bool created() const { return !created_as_.empty(); }
  const std::string& created_as() const { return created_as_; }

  // The table has written rows.
  void SetWrote() { wrote_ = true; }
  bool wrote() const { return wrote_; }

  SavepointMarks& marks() { return marks_; }
  const SavepointMarks& marks() const { return marks_; }

  // A statement reads the table to change it. SQLite sets no savepoint around UPDATE ... FROM. So
  // this keeps the number of the statement's first write.
  void StatementReads(int64_t statement) {
    if (!joined() || changing_statement_ == statement) return;
    changing_statement_ = statement;
    changes_from_ = next_sequence();
  }
  // Drops what that statement has written for the virtual table `owner`.
  void UndoStatement(int64_t statement, int64_t owner) {
    if (!joined() || statement == 0 || statement != changing_statement_) return;
    remote_->pending.log().TruncateTo(changes_from_, owner);
  }

  // The text of a statement that names this table as the one to change, until another
  // statement may have begun.
  void SetChangedBy(const char* sql, std::string_view beginning) {
    changed_by_ = sql;
    changed_by_beginning_ = beginning;
  }
  bool IsChangedBy(const char* sql, std::string_view beginning) const {
    return sql == changed_by_ && beginning == changed_by_beginning_;
  }
  void ForgetStatement() { changed_by_ = nullptr; }

  // xUpdate runs for an UPDATE or DELETE, whose statement has collected all rows by now.
  void SetCollected(bool collected) { collected_ = collected; }
  bool collected() const { return collected_; }

 private:
  std::shared_ptr<Connection> connection_;
  std::shared_ptr<RemoteTable> remote_;
  std::string created_as_;
  bool wrote_ = false;
  SavepointMarks marks_;
  int64_t changing_statement_ = 0;
  int64_t changes_from_ = 0;
  const char* changed_by_ = nullptr;
  std::string changed_by_beginning_;
  bool collected_ = false;
};

}  // namespace aztables
