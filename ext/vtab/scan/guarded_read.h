// GuardedRead: the pages of one scan under the rules of its table: the option `scan`, the
// statement's remaining budget, and interrupts. Its errors name the place at which the scan stopped
// and the line that lifts the rule.
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
#include "vtab/session/session.h"

namespace aztables {

class GuardedRead final : public PageSource {
 public:
  // `keyed`: a constraint on PartitionKey limits the read. `call.budget` already has the limits.
  // `whole`: the read returns every entity of the table.
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
  // Whether this read may return what is sent now, or whether sending would outdate rows that the
  // statement will change.
  bool Holds() const { return again_ || !stream_.at_end() || (collects_ && !finished_); }
  // Whether the statement with this number collects all of these rows and then changes them.
  bool CollectsFor(int64_t statement) const { return collects_ && call_.statement_id == statement; }
  void Collects() override { collects_ = true; }
  void Finished() override { finished_ = true; }
  // The cursor continues after this read: it is the inner side of a join, or a subquery, or reads a
  // list.
  void ComesAgain() { again_ = true; }
  // This is one of several reads. `last_entity` is the last entity that any of them has received.
  // It must outlive this.
  void Shares(std::string* last_entity) { last_entity_ = last_entity; }
  // Declared properties whose names are checked with the first page: columns of the table, and the
  // places of their cells. The table must outlive this.
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
  // Reads the names of whole entities: from the page, if it has them, else by one more request.
  Status Look();
  // Requests an entity that has the column's property, once.
  Status Seek(const Column& column);
  // Fills `page` with whole entities of at most one request; with none if the budget is used up.
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
  // The last entity received, for the case that a budget ends the read.
  std::string own_last_entity_;
  std::string* last_entity_ = &own_last_entity_;
  const Table* expecting_ = nullptr;
  std::vector<std::pair<int, size_t>> expected_;
  // For a read of the whole table: what was received, and the last partition.
  bool measures_;
  int64_t entities_ = 0;
  int64_t came_ = 0;  // entities received, by any read
  int64_t partitions_ = 0;
  std::string partition_;
  int64_t of_partition_ = 0;  // entities received of that partition
  int64_t largest_ = 0;
};

}  // namespace aztables
