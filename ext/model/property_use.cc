// Counting properties: see property_use.h.
#include "model/property_use.h"

#include <algorithm>

#include "base/encoding.h"
#include "model/convert.h"

namespace aztables {
namespace {

// At most kMaxExample characters of `text`. A longer text is cut and ends with "...".
std::string Shortened(std::string_view text) {
  constexpr std::string_view kMore = "...";
  size_t characters = 0;
  size_t cut = 0;  // the position of the dots
  for (size_t pos = 0; pos < text.size(); ++characters) {
    if (characters == kMaxExample - kMore.size()) cut = pos;
    if (characters == kMaxExample) return std::string(text.substr(0, cut)) + std::string(kMore);
    NextCodePoint(text, pos);
  }
  return std::string(text);
}

std::string BinaryText(std::string_view bytes) {
  constexpr size_t kMost = (kMaxExample - 3) / 2;  // without x''
  std::string text = "x'";
  AppendHex(text, bytes.substr(0, bytes.size() > kMost ? kMost - 1 : kMost));
  if (bytes.size() > kMost) text += "...";
  return text + "'";
}

}  // namespace

void PropertyTally::Add(std::string_view name, const Value& value) {
  auto place = index_.find(name);
  if (place == index_.end()) {
    place = index_.emplace(std::string(name), uses_.size()).first;
    uses_.push_back({{std::string(name), {}, 0, true, ExampleText(value)}});
  }
  Use& use = uses_[place->second];
  if (use.last_entity == entities_) return;
  use.last_entity = entities_;
  ++use.use.entities;
  if (value.type == EdmType::kInt64 && !IsExactDouble(value.integer)) use.use.exact = false;
  auto& types = use.use.types;
  const auto known = std::find_if(types.begin(), types.end(),
                                  [&](const auto& type) { return type.first == value.type; });
  if (known == types.end()) {
    types.emplace_back(value.type, 1);
  } else {
    ++known->second;
  }
}

std::vector<PropertyUse> PropertyTally::Properties() const {
  std::vector<PropertyUse> properties;
  properties.reserve(uses_.size());
  for (const Use& use : uses_) {
    properties.push_back(use.use);
    std::stable_sort(properties.back().types.begin(), properties.back().types.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
  }
  std::stable_sort(
      properties.begin(), properties.end(),
      [](const PropertyUse& a, const PropertyUse& b) { return a.entities > b.entities; });
  return properties;
}

std::string ExampleText(const Value& value) {
  switch (value.type) {
    case EdmType::kInt32:
    case EdmType::kInt64:
      return std::to_string(value.integer);
    case EdmType::kDouble:
      return FormatDouble(value.real);
    case EdmType::kBoolean:
      return value.integer != 0 ? "true" : "false";
    case EdmType::kBinary:
      return BinaryText(value.text);
    default:
      return Shortened(value.text);
  }
}

}  // namespace aztables
