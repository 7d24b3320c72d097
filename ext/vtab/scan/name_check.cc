// NameCheck: see name_check.h.
#include "vtab/scan/name_check.h"

#include <algorithm>
#include <string>

#include "plan/bound_plan.h"
#include "vtab/sqlite/interrupt.h"
#include "vtab/table.h"

namespace aztables {
namespace {

bool Shows(const EntityPage& page, size_t place) {
  for (size_t row = 0; row < page.size(); ++row) {
    const Cell& cell = page.At(row, place);
    if (cell.type != EdmType::kNull || cell.malformed) return true;
  }
  return false;
}

bool Compares(const std::vector<Disjunction>& clauses, std::string_view property) {
  return std::any_of(clauses.begin(), clauses.end(), [&](const Disjunction& disjunction) {
    // Alternatives of another property are entities with pending writes.
    const Conjunction& first = disjunction.front();
    return std::any_of(first.begin(), first.end(), [&](const Comparison& comparison) {
      return comparison.property == property;
    });
  });
}

// Adds the names of the entities of a page that was read with all properties.
Status AddNames(const EntityPage& page, EntityReader& reader, PropertyNames& names) {
  for (size_t row = 0; row < page.size(); ++row) {
    const auto found = reader.Names(page.At(row, EntityPage::kEntity).view());
    if (!found.ok()) return found.status();
    for (const std::string& name : *found) names.Add(name);
  }
  names.Looked();
  return {};
}

}  // namespace

NameCheck::NameCheck(const Cursor& cursor) : cursor_(cursor) {
  const Table& table = cursor.table();
  const PropertyNames& names = cursor.remote->names;
  const Schema& schema = table.declaration.schema;
  for (int i = Schema::kFirstProperty; table.IsDeclared(i); ++i) {
    const std::string& name = schema.PropertyAt(i)->property;
    const size_t place = cursor.cell_of[static_cast<size_t>(i)];
    if (place == Cursor::kNoCell || names.Has(name)) continue;
    if (names.looked() && names.OtherCase(name).empty()) continue;
    expected_.emplace_back(i, place);
  }
}

Status NameCheck::Check(const PageStream& first) const {
  const Schema& schema = cursor_.table().declaration.schema;
  PropertyNames& names = cursor_.remote->names;
  bool absent = false;
  for (const auto& [column, place] : expected_) {
    const std::string& name = schema.PropertyAt(column)->property;
    if (Shows(first.page(), place)) names.Add(name);
    absent = absent || !names.Has(name);
  }
  if (!absent) return {};
  AZTABLES_RETURN_IF_ERROR(Look(first));
  for (const auto& [index, place] : expected_) {
    const Column& column = *schema.PropertyAt(index);
    if (CheckName(names, schema, column).ok()) continue;
    AZTABLES_RETURN_IF_ERROR(Seek(column, first));
    const Status wrong = CheckName(names, schema, column);
    if (wrong.ok()) continue;
    names.Suspect();  // a row without the property returns the error
    if (first.page().size() > 0 || !Compares(first.query().clauses, column.property)) continue;
    return cursor_.table().Named(wrong);
  }
  return {};
}

Status NameCheck::Look(const PageStream& first) const {
  PropertyNames& names = cursor_.remote->names;
  const EntityPage& page = first.page();
  if (names.looked()) return {};
  if (page.size() > 0 && page.At(0, EntityPage::kEntity).type == EdmType::kString) {
    return AddNames(page, cursor_.session().entity_reader(), names);
  }
  EntityQuery query = first.query();
  query.select.clear();
  if (page.size() == 0) {
    // A comparison of a property that no entity has excludes every entity.
    if (query.clauses.empty() || names.asked_in_vain()) return {};
    query.clauses.clear();
  }
  EntityPage found({.properties = {}, .entity = true});
  AZTABLES_RETURN_IF_ERROR(AskForOne(query, first.options(), found));
  if (found.size() > 0) return AddNames(found, cursor_.session().entity_reader(), names);
  names.AskedInVain();
  return {};
}

Status NameCheck::Seek(const Column& column, const PageStream& first) const {
  PropertyNames& names = cursor_.remote->names;
  auto any_value = AnyValueFilter(column.property, column.type);
  if (!any_value || !cursor_.connection->client->FiltersProperties()) return {};
  if (names.IsSought(column.property)) return {};
  names.Seek(column.property);
  EntityQuery query;
  query.table = first.query().table;
  query.kind = ReadKindName(ReadKind::kTableScan);
  query.clauses.push_back(std::move(*any_value));
  EntityPage found({.properties = {}, .entity = true});
  const Status asked = AskForOne(query, first.options(), found);
  if (found.size() > 0) names.Add(column.property);
  // A service that rejects the filter returns no entity.
  const int status = asked.failure().http_status;
  return status == 400 || status == 500 || status == 501 ? Status() : asked;
}

Status NameCheck::AskForOne(const EntityQuery& query, const CallOptions& call,
                            EntityPage& page) const {
  // The rows do not need the names.
  if (call.budget.EntitiesLeft() == 0) return {};
  const InterruptWatch watch(cursor_.session().db(), call.budget);
  Status status =
      cursor_.connection->client->QueryPage(query, 1, {}, call, page, watch.cancel()).status();
  if (status.code() == Code::kBudget) return {};
  return cursor_.connection->Note(std::move(status));
}

}  // namespace aztables
