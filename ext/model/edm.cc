// EDM types: see edm.h.
#include "model/edm.h"

#include <algorithm>
#include <array>

namespace aztables {
namespace {

constexpr std::array kEdmNames =
    std::to_array<std::string_view>({"null", "Edm.String", "Edm.Int32", "Edm.Int64", "Edm.Double",
                                     "Edm.Boolean", "Edm.DateTime", "Edm.Guid", "Edm.Binary"});
static_assert(kEdmNames.size() == static_cast<size_t>(EdmType::kLast) + 1);

}  // namespace

std::string_view EdmName(EdmType type) { return kEdmNames[static_cast<size_t>(type)]; }

std::optional<EdmType> EdmFromName(std::string_view name) {
  for (size_t i = 1; i < kEdmNames.size(); ++i) {
    if (kEdmNames[i] == name) return static_cast<EdmType>(i);
  }
  return std::nullopt;
}

void SetProperty(std::vector<Property>& properties, Property property) {
  const auto known = std::find_if(properties.begin(), properties.end(), [&](const Property& other) {
    return other.name == property.name;
  });
  if (known == properties.end()) {
    properties.push_back(std::move(property));
  } else {
    *known = std::move(property);
  }
}

}  // namespace aztables
