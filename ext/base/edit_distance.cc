// Edit distance: see edit_distance.h.
#include "base/edit_distance.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/encoding.h"

namespace aztables {

std::u32string FoldedCodePoints(std::string_view text) {
  const std::string lower = ToLowerAscii(text);
  std::u32string folded;
  for (size_t pos = 0; pos < lower.size();) folded += NextCodePoint(lower, pos);
  return folded;
}

size_t EditDistance(std::u32string_view a, std::u32string_view b) {
  std::vector<size_t> before;  // rows of the table of edits between prefixes of both
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

}  // namespace aztables
