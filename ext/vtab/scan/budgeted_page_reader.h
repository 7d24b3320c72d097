// BudgetedPageReader: the rows of one query under the rules of its table: the option `scan`, the
// statement's remaining budget, and interrupts. Its errors name the place at which the read stopped
// and the line that lifts the rule.
//
// Ownership: shares the connection; the session and what the setting points to outlive it.
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "read/page_reader.h"
#include "read/scan_record.h"
#include "table/page_stream.h"
#include "vtab/scan/read_rules.h"
#include "vtab/session/session.h"

namespace aztables {

class NameCheck;

class BudgetedPageReader final : public PageReader {
 public:
  struct Setting {
    ReadRules rules;
    ScanGuard* guard = nullptr;
    CallOptions call;             // its budget has the limits of the rules
    bool keyed = false;           // a condition on PartitionKey limits the read
    bool whole = false;           // record it: it returns every entity of the table
    bool table_may_lack = false;  // a table that does not exist counts as empty
    bool part = false;            // other readers read the rest of the read
    bool comes_again = false;     // the cursor will read more after this read
    const RowUse* use = nullptr;  // of the rows; null: the statement does not change them
    std::string* last = nullptr;  // if this is one of several reads: their last entity
    std::shared_ptr<const NameCheck> names;  // checked with the first page; null: none
  };

  // `remote`: the table of the query on that connection.
  BudgetedPageReader(Session* session, std::shared_ptr<Connection> connection,
                     std::shared_ptr<RemoteTable> remote, EntityQuery query, Projection projection,
                     size_t first_page, Setting setting);
  BudgetedPageReader(const BudgetedPageReader&) = delete;
  BudgetedPageReader& operator=(const BudgetedPageReader&) = delete;
  ~BudgetedPageReader() override { remote_->reads.erase(this); }

  Result<bool> NextPage() override;
  Status Prefetch() override;
  const EntityPage& page() const override { return stream_->page(); }
  bool at_end() const override { return stream_->at_end(); }
  void ReadSinglePages() override;
  void ReadOn() override;
  void DropRequest() override { stream_->DropRequest(); }
  void DropPage() override { stream_->DropPage(); }
  std::unique_ptr<EntityPage> TakePage() override { return stream_->TakePage(); }
  Result<size_t> WaitForOne(std::span<PageReader* const> readers) override;
  bool waits() const override;
  bool throttled() const override;
  int64_t asked_at() const override { return stream_->asked_at(); }
  PageStream& stream() { return *stream_; }
  // Whether this read may return rows that are sent now. Also true if sending would change rows
  // that the statement has read and will change.
  bool Holds() const;
  // Whether the statement with this number collects all of these rows and then changes them.
  bool CollectsFor(int64_t statement) const;

 private:
  // The exchanges under way of the reads over the same connection.
  std::vector<Exchange*> UnderWay() const;
  // Whether this read needs no request, because the statement knows that the table is missing.
  bool KnowsMissing() const;
  void RememberLast();
  void Record();
  Result<bool> Came(bool more);
  Result<bool> Failed(const Status& status, const Cancel& cancel);
  Status BudgetError(const Status& status) const;

  Session* session_;
  std::shared_ptr<Connection> connection_;
  std::shared_ptr<RemoteTable> remote_;  // has this in its `reads`
  Setting setting_;
  // A block of its own: malloc() is slower with larger ones.
  const std::unique_ptr<PageStream> stream_;
  int64_t came_ = 0;      // entities received
  bool divided_ = false;  // other readers read the rest of the read
  std::string own_last_;
  ScanRecord record_;  // if `whole`
};

}  // namespace aztables
