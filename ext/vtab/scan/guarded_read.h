// GuardedRead: the pages of one scan under the rules of its table: what `scan` allows, what budget
// the statement has left, and whether it was interrupted. Its errors say where the scan stopped and
// which line lifts the rule.
//
// Ownership: shares the connection; the session and the guard outlive it.
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "read/page_source.h"
#include "table/page_stream.h"
#include "vtab/scan/read_rules.h"
#include "vtab/scan/scan_guard.h"
#include "vtab/session/session.h"

namespace aztables {

class GuardedRead final : public PageSource {
 public:
  // `keyed`: a constraint on PartitionKey limits the read. `call.budget` has the limits already.
  // `whole`: every entity of the table is read.
  GuardedRead(Session* session, std::shared_ptr<Connection> connection, ReadRules rules, bool keyed,
              ScanGuard* guard, EntityQuery query, Projection projection, size_t first_page,
              const CallOptions& call, bool whole);
  GuardedRead(const GuardedRead&) = delete;
  GuardedRead& operator=(const GuardedRead&) = delete;
  ~GuardedRead() override { remote_->reads.erase(this); }

  Result<bool> NextPage() override;
  Status Prefetch() override;
  const EntityPage& page() const override { return stream_.page(); }
  bool at_end() const override { return stream_.at_end(); }
  int64_t asked_at() const override { return asked_at_; }
  PageStream& stream() { return stream_; }
  // Whether what is sent now may come back by it, or make what it shows stale to who changes it.
  bool Holds() const { return again_ || !stream_.at_end() || (collects_ && !finished_); }
  // Rows that the statement with this number changes, when it has collected all of them.
  bool CollectsFor(int64_t statement) const { return collects_ && call_.statement_id == statement; }
  void Collects() override { collects_ = true; }
  void Finished() override { finished_ = true; }
  // The cursor goes on after this read: it is the inner side of a join, or a subquery, or reads a
  // list.
  void ComesAgain() { again_ = true; }
  // Is one of several reads, of which `last_entity` is the last entity that has come. It has to
  // outlive this.
  void Shares(std::string* last_entity) { last_entity_ = last_entity; }
  // Declared properties whose names are looked for with the first page: columns of the table, and
  // the places of their cells. The table has to outlive this.
  void Expects(const Table* table, std::vector<std::pair<int, size_t>> columns) {
    expecting_ = table;
    expected_ = std::move(columns);
  }

 private:
  Status MayAsk();
  void NoteAsked();
  void RememberLast();
  void Measure(bool more);
  Status LookForNames();
  // Learns the names of whole entities: of the page, if it has them, else of one more request.
  Status Look();
  // Asks for an entity that has the property of the column, once.
  Status Seek(const Column& column);
  // Fills `page` with whole entities of one request, at most one; none if the budget has nothing
  // left.
  Status AskForOne(const EntityQuery& query, EntityPage& page);
  Status BudgetError(const Status& status) const;

  Session* session_;
  std::shared_ptr<Connection> connection_;
  std::shared_ptr<RemoteTable> remote_;  // has this in its `reads`
  ReadRules rules_;
  ScanGuard* guard_;
  CallOptions call_;
  PageStream stream_;
  int64_t asked_at_ = 0;
  bool again_ = false;
  bool collects_ = false;
  bool finished_ = false;
  // The last one that has come, where a budget may end the read.
  std::string own_last_entity_;
  std::string* last_entity_ = &own_last_entity_;
  const Table* expecting_ = nullptr;
  std::vector<std::pair<int, size_t>> expected_;
  // Of a read of the whole table: what has come, and the partition that came last.
  bool measures_;
  int64_t entities_ = 0;
  int64_t came_ = 0;  // entities, of any read
  int64_t partitions_ = 0;
  std::string partition_;
  int64_t of_partition_ = 0;  // entities that have come of it
  int64_t largest_ = 0;
};

}  // namespace aztables
