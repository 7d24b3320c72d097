// Similar names: see similar_names.h.
#include "model/similar_names.h"

#include <algorithm>
#include <optional>

#include "base/edit_distance.h"

namespace aztables {
namespace {

constexpr size_t kLeastContained = 3;

// The distance of the names; smaller is better. Nothing if they are not similar.
std::optional<size_t> Unlikeness(const std::u32string& name, const std::u32string& other) {
  constexpr size_t kContained = 1000;
  const size_t longer = std::max(name.size(), other.size());
  const size_t shorter = std::min(name.size(), other.size());
  if (longer - shorter <= longer / 3) {
    const size_t edits = EditDistance(name, other);
    if (edits <= longer / 3) return edits;
  }
  const bool contained = name.size() < other.size() ? other.find(name) != std::u32string::npos
                                                    : name.find(other) != std::u32string::npos;
  if (contained && shorter >= kLeastContained) return kContained + longer - shorter;
  return std::nullopt;
}

}  // namespace

std::vector<std::string> SimilarNames(std::string_view name, const std::vector<std::string>& names,
                                      size_t most) {
  const std::u32string folded = FoldedCodePoints(name);
  std::vector<std::pair<size_t, std::string>> found;
  for (const std::string& other : names) {
    if (const auto unlike = Unlikeness(folded, FoldedCodePoints(other)))
      found.emplace_back(*unlike, other);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> best;
  for (auto& [unlike, other] : found) {
    if (best.size() < most) best.push_back(std::move(other));
  }
  return best;
}

}  // namespace aztables
