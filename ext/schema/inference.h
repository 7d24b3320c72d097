// Inference: from a sample of a remote table to columns. A property whose entities disagree on its
// type is ANY; one whose name clashes, or that comes after the most frequent ones, gets no column,
// stays in _entity and is reported. Pure; taking the sample is table/table_sample.h.
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "model/schema.h"
#include "table/table_sample.h"

namespace aztables {

// What becomes of one property of a sample.
struct InferredProperty {
  PropertyUse use;
  EdmType type = EdmType::kNull;  // that all its values have; kNull: ANY
  std::string column;             // that shows it; empty: none
  std::string why_not;            // of a property without a column
};

struct Inference {
  TableSample sample;
  std::vector<InferredProperty> properties;  // most frequent first
  Schema schema;                             // declared columns, then inferred ones

  // "rating: the column name ...": a line for each property without a column; empty if none.
  std::vector<std::string> Unshown() const;
};

// The columns for a sample. `declared` columns stay as they are. `earlier` are those inferred
// before: they keep their order and names, and become ANY where a value of another type was seen.
// New ones follow, up to `most` inferred columns in all.
Inference InferColumns(TableSample sample, const Schema& declared,
                       const std::vector<Column>& earlier, size_t most);

// The types seen, most frequent first: "INT32 980, STRING 20".
std::string TypesSeen(const PropertyUse& use);

}  // namespace aztables
