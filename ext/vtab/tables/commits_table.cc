// aztables_commits: the outcomes of the EGTs of the last COMMITs of this database connection.
#include "model/datetime.h"
#include "vtab/tables/eponymous.h"
#include "write/commit_history.h"

namespace aztables {
namespace {

Status FillCommits(Session& session, const Arguments&, std::vector<Row>& rows) {
  for (const CommitRecord* const entry : session.commits().Records()) {
    const CommitRecord& record = *entry;
    const auto key = [](bool has, const std::string& text) {
      return has ? RowValue(text) : RowValue();
    };
    rows.push_back(
        {NumberOrNull(record.commit_id), FormatDateTime(UnixTime(record.time_ms)),
         record.connection, record.table, key(record.has_partition, record.partition_key),
         key(record.has_entity, record.row_key), TextOrNull(record.operation), record.egts,
         record.operations, record.bytes, std::string(OutcomeName(record.outcome)),
         NumberOrNull(record.http_status), TextOrNull(record.code), TextOrNull(record.message),
         TextOrNull(record.request_id), record.settled, record.settle_reads});
  }
  return {};
}

}  // namespace

const EponymousTable kCommitsTable = {
    .name = "aztables_commits",
    .columns =
        "commit_id INTEGER, time TEXT, connection TEXT, table_name TEXT, partition_key TEXT, "
        "row_key TEXT, operation TEXT, egts INTEGER, operations INTEGER, bytes INTEGER, outcome "
        "TEXT, "
        "status INTEGER, code TEXT, message TEXT, request_id TEXT, settled INTEGER, "
        "settle_reads INTEGER",
    .visible = 17,
    .fill = FillCommits,
};

}  // namespace aztables
