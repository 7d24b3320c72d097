// aztables_connections: the connections that were registered or used, without their secrets.
#include "model/datetime.h"
#include "vtab/tables/eponymous.h"

namespace aztables {
namespace {

Status FillConnections(Session& session, const Arguments&, std::vector<Row>& rows) {
  for (const auto& [name, connection] : session.connections()) {
    const ConnectionSettings& settings = connection->resolved.settings;
    std::string credential(CredentialKindName(settings.credential));
    RowValue identity = TextOrNull(settings.account);
    RowValue expires;
    if (connection->bearer != nullptr) {
      const IdentityReport report = connection->bearer->Report();
      credential = IdentityKindName(settings.identity.kind);
      identity = TextOrNull(report.owner);
      if (report.expires_ms != 0) expires = FormatDateTime(UnixTime(report.expires_ms));
    }
    rows.push_back({name, settings.Place(), std::string(EndpointKindName(settings.kind)),
                    std::move(credential), std::move(identity), connection->resolved.source,
                    int64_t{settings.read_only ? 1 : 0}, TextOrNull(connection->last_error),
                    std::move(expires)});
  }
  return {};
}

}  // namespace

const EponymousTable kConnectionsTable = {
    .name = "aztables_connections",
    .columns =
        "name TEXT, endpoint TEXT, kind TEXT, credential TEXT, identity TEXT, source TEXT, "
        "read_only INTEGER, last_error TEXT, token_expires TEXT",
    .visible = 9,
    .fill = FillConnections,
};

}  // namespace aztables
