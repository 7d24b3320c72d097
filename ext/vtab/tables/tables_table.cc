// aztables_tables([connection [, pattern]]): the tables of an account.
#include "vtab/sqlite/interrupt.h"
#include "vtab/tables/eponymous.h"

namespace aztables {
namespace {

Status FillTables(Session& session, const Arguments& arguments, std::vector<Row>& rows) {
  auto connection = session.Find(arguments[0].value_or("default"));
  if (!connection.ok()) return connection.status();
  const InterruptWatch watch(session.db());
  const auto names = (*connection)->client->ListTables(session.Options(), watch.cancel());
  if (!names.ok()) return (*connection)->Note(names.status());
  for (const std::string& name : *names) {
    if (arguments[1] && sqlite3_strlike(arguments[1]->c_str(), name.c_str(), 0) != 0) continue;
    rows.push_back({name});
  }
  return {};
}

}  // namespace

const EponymousTable kTablesTable = {
    .name = "aztables_tables",
    .columns = "name TEXT, connection TEXT HIDDEN, pattern TEXT HIDDEN",
    .visible = 1,
    .arguments = 2,
    .fill = FillTables,
};

}  // namespace aztables
