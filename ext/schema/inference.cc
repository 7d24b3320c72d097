// Inference: see inference.h.
#include "schema/inference.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "model/limits.h"
#include "schema/columns.h"

namespace aztables {
namespace {

// The type of a column that shows values of both types; kNull (ANY) if only ANY shows both.
// `exact`: a Double can hold every Int64.
EdmType Wider(EdmType one, EdmType other, bool exact) {
  if (one == other) return one;
  const auto are = [&](EdmType a, EdmType b) {
    return (one == a && other == b) || (one == b && other == a);
  };
  if (are(EdmType::kInt32, EdmType::kInt64)) return EdmType::kInt64;
  const bool to_double =
      are(EdmType::kInt32, EdmType::kDouble) || (exact && are(EdmType::kInt64, EdmType::kDouble));
  return to_double ? EdmType::kDouble : EdmType::kNull;
}

// The type of a column that shows all values of the property.
EdmType TypeOf(const PropertyUse& use) {
  EdmType type = use.types.front().first;
  for (const auto& [other, count] : use.types) type = Wider(type, other, use.exact);
  return type;
}

bool Has(const PropertyUse& use, EdmType type) {
  return std::any_of(use.types.begin(), use.types.end(),
                     [&](const auto& seen) { return seen.first == type; });
}

// The type of an inferred column whose type was `earlier`. The sample shows whether its Int64
// values are exact as Double only if it has any.
EdmType Widened(EdmType earlier, const PropertyUse& use) {
  const bool exact = use.exact && (earlier != EdmType::kInt64 || Has(use, EdmType::kInt64));
  return Wider(earlier, TypeOf(use), exact);
}

}  // namespace

std::vector<std::string> Inference::Unshown() const {
  std::vector<std::string> lines;
  for (const InferredProperty& property : properties) {
    if (property.column.empty())
      lines.push_back(QuoteArgument(property.use.name) + ": " + property.why_not);
  }
  return lines;
}

Inference InferColumns(TableSample sample, const Schema& declared,
                       const std::vector<Column>& earlier, size_t most) {
  Inference inference;
  inference.schema = declared;
  auto& columns = inference.schema.properties;
  columns.insert(columns.end(), earlier.begin(), earlier.end());
  const size_t first_inferred = declared.properties.size();
  ColumnNames names(inference.schema);
  std::unordered_map<std::string, size_t> place_of;  // of the first column that shows the property
  for (size_t i = 0; i < columns.size(); ++i) place_of.emplace(columns[i].property, i);
  for (const PropertyUse& use : sample.properties) {
    InferredProperty property{.use = use, .type = TypeOf(use), .column = "", .why_not = ""};
    const auto shown = place_of.find(use.name);
    if (shown != place_of.end()) {
      Column& column = columns[shown->second];
      if (shown->second >= first_inferred) column.type = Widened(column.type, use);
      property.column = column.name;
    } else {
      const Column column{.name = use.name, .property = use.name, .type = property.type};
      const Status clash = names.Check(column);
      if (!clash.ok()) {
        property.why_not = clash.message();
      } else if (columns.size() - first_inferred >= most) {
        property.why_not = "not among the " + std::to_string(most) + " most frequent";
      } else {
        static_cast<void>(names.Add(column));
        columns.push_back(column);
        property.column = column.name;
      }
    }
    inference.properties.push_back(std::move(property));
  }
  inference.sample = std::move(sample);
  return inference;
}

std::string TypesSeen(const PropertyUse& use) {
  std::string text;
  for (const auto& [type, count] : use.types) {
    if (!text.empty()) text += ", ";
    text += std::string(ColumnTypeName(type)) + " " + std::to_string(count);
  }
  return text;
}

}  // namespace aztables
