// aztables_infer(table): which properties a remote table has, from a sample; and
// aztables_schema(table): the CREATE VIRTUAL TABLE for them, ready to paste.
#include "schema/inference.h"
#include "schema/options.h"
#include "schema/table_name.h"
#include "vtab/scan/read_sample.h"
#include "vtab/scan/tables_over.h"
#include "vtab/sqlite/sql.h"
#include "vtab/table.h"
#include "vtab/tables/eponymous.h"

namespace aztables {
namespace {

struct SampledTable {
  TableName name;
  Inference inference;
};

// Samples the table in an argument.
Result<SampledTable> Sample(Session& session, const std::string& argument) {
  SampledTable sampled;
  auto name = ParseTableName(argument);
  if (!name.ok()) return name.status();
  sampled.name = std::move(*name);
  auto sample = ReadSample(session, sampled.name.connection, sampled.name.table, session.Options());
  if (!sample.ok()) return sample.status();
  sampled.inference =
      InferColumns(std::move(*sample), {}, {}, size_t{TableOptions::kInferredColumns});
  return sampled;
}

Status FillInfer(Session& session, const Arguments& arguments, std::vector<Row>& rows) {
  if (!arguments[0]) {
    return Status::Error(
        "aztables_infer needs a table: SELECT * FROM aztables_infer('prod.Orders')");
  }
  const auto sampled = Sample(session, *arguments[0]);
  if (!sampled.ok()) return sampled.status();
  const Inference& inference = sampled->inference;
  for (const InferredProperty& property : inference.properties) {
    const auto entities = static_cast<int64_t>(property.use.entities);
    const double share =
        static_cast<double>(entities) / static_cast<double>(inference.sample.entities);
    rows.push_back({property.use.name, TextOrNull(property.column),
                    std::string(ColumnTypeName(property.type)), TypesSeen(property.use), entities,
                    share, property.use.example, TextOrNull(property.why_not)});
  }
  return {};
}

// "2000 of its entities, read with 3 requests", or all of them.
std::string SampleNote(const TableSample& sample) {
  const std::string count =
      std::to_string(sample.entities) + (sample.entities == 1 ? " entity" : " entities");
  if (sample.entities == 0) return "a table without entities";
  std::string note = sample.complete && sample.entities > 1 ? "all " + count : count;
  note += sample.complete ? ", with " : " of several key regions, with ";
  return note + std::to_string(sample.requests) + (sample.requests == 1 ? " request" : " requests");
}

}  // namespace

const EponymousTable kInferTable = {
    .name = "aztables_infer",
    .columns =
        "property TEXT, column_name TEXT, type TEXT, types_seen TEXT, entities INTEGER, "
        "share REAL, example TEXT, note TEXT, table_argument TEXT HIDDEN",
    .visible = 8,
    .arguments = 1,
    .fill = FillInfer,
};

Result<std::string> InferredSchemaText(Session& session, const std::string& argument) {
  const auto sampled = Sample(session, argument);
  if (!sampled.ok()) return sampled.status();
  const std::string table = sampled->name.table;
  std::string sql = "CREATE VIRTUAL TABLE " + SqlIdentifier(table) + " USING aztables(\n  table=";
  sql += table + ",\n  connection=" + sampled->name.connection;
  const auto& columns = sampled->inference.schema.properties;
  if (columns.empty()) sql += ",\n  infer=off";
  for (const Column& column : columns) {
    sql += ",\n  " + SqlIdentifier(column.name) + " " + std::string(ColumnTypeName(column.type));
  }
  sql += "\n);\n-- inferred from " + SampleNote(sampled->inference.sample) +
         "; properties without a column are in _entity";
  for (const std::string& line : sampled->inference.Unshown()) sql += "\n-- no column for " + line;
  return sql;
}

}  // namespace aztables
