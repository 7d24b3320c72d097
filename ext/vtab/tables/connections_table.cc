// aztables_connections: the connections that were registered or used, without their secrets.
#include "vtab/tables/eponymous.h"

namespace aztables {
namespace {

Status FillConnections(Session& session, const Arguments&, std::vector<Row>& rows) {
  for (const auto& [name, connection] : session.connections()) {
    const ConnectionSettings& settings = connection->resolved.settings;
    rows.push_back({name, settings.Place(), std::string(EndpointKindName(settings.kind)),
                    std::string(CredentialKindName(settings.credential)),
                    TextOrNull(settings.account), connection->resolved.source,
                    int64_t{settings.read_only ? 1 : 0}, TextOrNull(connection->last_error)});
  }
  return {};
}

}  // namespace

const EponymousTable kConnectionsTable = {
    .name = "aztables_connections",
    .columns =
        "name TEXT, endpoint TEXT, kind TEXT, credential TEXT, identity TEXT, source TEXT, "
        "read_only INTEGER, last_error TEXT",
    .visible = 8,
    .fill = FillConnections,
};

}  // namespace aztables
