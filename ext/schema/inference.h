// Inference: from a sample of a remote table to columns. The column of a property has the narrowest
// type that shows the values of all entities, else ANY. A property has no column if its name
// clashes, or if more frequent ones use up the limit. It then stays in _entity and is reported.
// Pure; table/table_sample.h takes the sample.
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "model/schema.h"
#include "table/table_sample.h"

namespace aztables {

// The result for one property of a sample.
struct InferredProperty {
  PropertyUse use;
  EdmType type = EdmType::kNull;  // of all its values; kNull: ANY
  std::string column;             // the column that shows it; empty: none
  std::string why_not;            // why the property has no column
};

struct Inference {
  TableSample sample;
  std::vector<InferredProperty> properties;  // most frequent first
  Schema schema;                             // declared columns, then inferred ones

  // "rating: the column name ...": a line for each property without a column; empty if none.
  std::vector<std::string> Unshown() const;
};

// The columns for a sample. `declared` columns do not change. `earlier` columns were inferred
// before. They keep their order and names, and become ANY if a value of another type was seen. New
// ones follow, up to `most` inferred columns in all.
Inference InferColumns(TableSample sample, const Schema& declared,
                       const std::vector<Column>& earlier, size_t most);

// The types seen, most frequent first: "INT32 980, STRING 20".
std::string TypesSeen(const PropertyUse& use);

}  // namespace aztables
