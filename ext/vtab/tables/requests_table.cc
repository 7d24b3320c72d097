// aztables_requests: the last 10,000 requests of this database connection.
#include "model/datetime.h"
#include "vtab/tables/eponymous.h"

namespace aztables {
namespace {

Status FillRequests(Session& session, const Arguments&, std::vector<Row>& rows) {
  for (size_t i = 0; i < session.log().size(); ++i) {
    const RequestRecord& record = session.log().At(i);
    rows.push_back({record.id, NumberOrNull(record.label.statement_id),
                    NumberOrNull(record.label.scan), FormatDateTime(UnixTime(record.time_ms)),
                    record.label.connection, TextOrNull(record.label.table), record.label.kind,
                    record.method, record.url, TextOrNull(record.label.filter),
                    NumberOrNull(record.status),
                    TextOrNull(record.error.empty() ? record.code : record.error),
                    int64_t{record.attempts}, record.entities, record.bytes_in, record.bytes_out,
                    record.ms, TextOrNull(record.request_id)});
  }
  return {};
}

}  // namespace

const EponymousTable kRequestsTable = {
    .name = "aztables_requests",
    .columns =
        "id INTEGER, statement_id INTEGER, scan INTEGER, time TEXT, connection TEXT, "
        "table_name TEXT, kind TEXT, method TEXT, url TEXT, filter TEXT, status INTEGER, "
        "code TEXT, attempts INTEGER, entities INTEGER, bytes_in INTEGER, bytes_out INTEGER, "
        "ms REAL, request_id TEXT",
    .visible = 18,
    .fill = FillRequests,
};

}  // namespace aztables
