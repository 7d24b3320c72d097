// aztables_commits: the outcomes of the EGTs of the last COMMITs of this database connection.
#include "model/datetime.h"
#include "vtab/tables/eponymous.h"
#include "write/commit_history.h"

namespace aztables {
namespace {

Status Fill(Session& session, const std::vector<std::optional<std::string>>&,
            std::vector<Row>& rows) {
  for (const CommitRecord* const entry : session.commits().Records()) {
    const CommitRecord& record = *entry;
    RowValue partition_key;
    if (record.has_partition) partition_key = record.partition_key;
    RowValue row_key;
    if (record.has_entity) row_key = record.row_key;
    RowValue status;
    if (record.http_status != 0) status = int64_t{record.http_status};
    rows.push_back({record.commit_id, FormatDateTime(UnixTime(record.time_ms)), record.connection,
                    record.table, std::move(partition_key), std::move(row_key),
                    TextOrNull(record.operation), record.operations, record.bytes,
                    std::string(OutcomeName(record.outcome)), std::move(status),
                    TextOrNull(record.code), TextOrNull(record.message),
                    TextOrNull(record.request_id)});
  }
  return {};
}

}  // namespace

const EponymousTable kCommitsTable = {
    .name = "aztables_commits",
    .columns =
        "commit_id INTEGER, time TEXT, connection TEXT, table_name TEXT, partition_key TEXT, "
        "row_key TEXT, operation TEXT, operations INTEGER, bytes INTEGER, outcome TEXT, "
        "status INTEGER, code TEXT, message TEXT, request_id TEXT",
    .visible = 14,
    .arguments = 0,
    .innocuous = false,
    .fill = Fill,
};

}  // namespace aztables
