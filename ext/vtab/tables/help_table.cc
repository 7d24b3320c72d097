// aztables_help: the catalog as a table.
#include "schema/catalog.h"
#include "vtab/tables/eponymous.h"

namespace aztables {
namespace {

Status FillHelp(Session&, const Arguments&, std::vector<Row>& rows) {
  for (const CatalogEntry& entry : Catalog()) {
    rows.push_back({std::string(entry.name), std::string(entry.kind), std::string(entry.usage),
                    std::string(entry.summary), std::string(entry.example)});
  }
  return {};
}

}  // namespace

const EponymousTable kHelpTable = {
    .name = "aztables_help",
    .columns = "name TEXT, kind TEXT, usage TEXT, summary TEXT, example TEXT",
    .visible = 5,
    .innocuous = true,
    .fill = FillHelp,
};

}  // namespace aztables
