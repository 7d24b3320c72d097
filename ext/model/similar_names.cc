// Similar names: see include/aztables/model/similar_names.h.
#include "aztables/model/similar_names.h"

#include <algorithm>
#include <optional>

#include "aztables/base/encoding.h"

namespace aztables {
namespace {

constexpr size_t kLeastContained = 3;

std::u32string Folded(std::string_view text) {
  const std::string lower = ToLowerAscii(text);
  std::u32string folded;
  for (size_t pos = 0; pos < lower.size();) folded += NextCodePoint(lower, pos);
  return folded;
}

// Insertions, deletions, replacements and swaps of neighbours that make one of the other.
size_t Edits(const std::u32string& a, const std::u32string& b) {
  std::vector<size_t> before;  // rows of the table of edits between beginnings of both
  std::vector<size_t> last;
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before = std::move(last);
    last = row;
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

// How far apart the names are, the smaller the better; nothing where they are not alike.
std::optional<size_t> Unlikeness(const std::u32string& name, const std::u32string& other) {
  constexpr size_t kContained = 1000;
  const size_t longer = std::max(name.size(), other.size());
  const size_t shorter = std::min(name.size(), other.size());
  if (longer - shorter <= longer / 3) {
    const size_t edits = Edits(name, other);
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
  const std::u32string folded = Folded(name);
  std::vector<std::pair<size_t, std::string>> found;
  for (const std::string& other : names) {
    if (const auto unlike = Unlikeness(folded, Folded(other))) found.emplace_back(*unlike, other);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> best;
  for (auto& [unlike, other] : found) {
    if (best.size() < most) best.push_back(std::move(other));
  }
  return best;
}

}  // namespace aztables
