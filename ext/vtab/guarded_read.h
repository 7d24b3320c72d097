// GuardedRead: the pages of one scan under the rules of its table: what `scan` allows, what budget
// the statement has left, and whether it was interrupted. Its errors say where the scan stopped and
// which line lifts the rule.
//
// Ownership: shares the connection; the session and the guard outlive it.
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <string>

#include "aztables/plan/read_plan.h"
#include "aztables/table/page_stream.h"
#include "page_source.h"
#include "scan_guard.h"
#include "session.h"

namespace aztables {

// The rules of one read, and whose they are: the virtual table, as SQL names it.
struct ReadRules {
  std::string who;  // how messages begin: "table movies"
  ScanRule scan = ScanRule::kAllow;
  std::string scan_of;
  Limits limits;
  std::string requests_of;  // whose each limit is
  std::string entities_of;
  std::string time_of;

  // Adds the rules of the virtual table `table`: the stricter ones win.
  void Tighten(const TableOptions& options, const std::string& table);
};

// The reads of one cursor, as bulk=on has to know them: what a statement sends while it runs must
// not come back to it.
class ReadTurns {
 public:
  // A read of `remote` begins. An error where a statement that writes would meet what it has sent
  // since its first one.
  Status Begin(const RemoteTable& remote, bool writes, std::string_view who);
  bool again() const { return count_ > 1; }

 private:
  int count_ = 0;
  int64_t sent_through_ = 0;
};

// INSERT INTO movies(_command) VALUES('scan=allow');
std::string OverrideLine(std::string_view table, std::string_view option);

// The same for the limit that a kBudget names: "another limit for this database connection: ...".
std::string LimitOverride(const ReadRules& rules, const Status& exceeded);

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
  PageStream& stream() { return stream_; }
  // Whether what is sent now may come back by it, or make what it shows stale to who changes it.
  bool Holds() const { return again_ || !stream_.at_end() || (collects_ && !finished_); }
  // Rows that the statement with this number changes, when it has collected all of them.
  bool CollectsFor(int64_t statement) const { return collects_ && statement_ == statement; }
  void Collects() override { collects_ = true; }
  void Finished() override { finished_ = true; }
  // The cursor goes on after this read: it is the inner side of a join, or a subquery, or reads a
  // list.
  void ComesAgain() { again_ = true; }
  // Is one of several reads, of which `last_entity` is the last entity that has come. It has to
  // outlive this.
  void Shares(std::string* last_entity) { last_entity_ = last_entity; }

 private:
  Status MayAsk();
  void RememberLast();
  void Measure(bool more);
  Status BudgetError(const Status& status) const;

  Session* session_;
  std::shared_ptr<Connection> connection_;
  std::shared_ptr<RemoteTable> remote_;  // has this in its `reads`
  ReadRules rules_;
  ScanGuard* guard_;
  Budget budget_;
  PageStream stream_;
  int64_t statement_;
  bool again_ = false;
  bool collects_ = false;
  bool finished_ = false;
  // The last one that has come, where a budget may end the read.
  std::string own_last_entity_;
  std::string* last_entity_ = &own_last_entity_;
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
