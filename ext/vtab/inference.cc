// Inference: see inference.h.
#include "inference.h"

#include <string>
#include <unordered_map>

#include "columns.h"

namespace aztables {
namespace {

EdmType TypeOf(const PropertyUse& use) {
  return use.types.size() == 1 ? use.types.front().first : EdmType::kNull;
}

}  // namespace

std::vector<std::string> Inference::Unshown() const {
  std::vector<std::string> lines;
  for (const InferredProperty& property : properties) {
    if (property.column.empty())
      lines.push_back(ShowWord(property.use.name) + ": " + property.why_not);
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
  std::unordered_map<std::string, size_t> place_of;  // of the first column that shows a property
  for (size_t i = 0; i < columns.size(); ++i) place_of.emplace(columns[i].property, i);
  for (const PropertyUse& use : sample.properties) {
    InferredProperty property{.use = use, .type = TypeOf(use), .column = "", .why_not = ""};
    const auto shown = place_of.find(use.name);
    if (shown != place_of.end()) {
      Column& column = columns[shown->second];
      if (shown->second >= first_inferred && column.type != property.type) {
        column.type = EdmType::kNull;
      }
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
