// KeySpan: a range of the entities of a query: those of a range of PartitionKeys, or of a range of
// RowKeys in one partition. So a filter with one condition per bound can name it.
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "odata/entity_page.h"
#include "odata/filter.h"

namespace aztables {

struct KeySpan {
  std::optional<std::string> partition;  // the keys are its RowKeys; else they are PartitionKeys
  std::string low;
  bool after_low = false;           // the key `low` itself does not belong to the span
  std::optional<std::string> high;  // all keys are below

  EntityPage::BuiltIn column() const {
    return partition ? EntityPage::kRowKey : EntityPage::kPartitionKey;
  }
};

inline std::string_view KeyAt(const EntityPage& page, size_t row, EntityPage::BuiltIn column) {
  return page.At(row, column).view();
}

// The rows of a page that belong to the span: from `begin` to before `end`. REQUIRES: the page is
// in the order of keys
struct RowsOfSpan {
  size_t begin = 0;
  size_t end = 0;
  bool passed = false;  // the page has a row behind the span
};
RowsOfSpan RowsIn(const KeySpan& span, const EntityPage& page);

// The first row of the page whose partition is that of row `row`.
size_t BeginOfPartition(const EntityPage& page, size_t row);

// The filter for the span. Nothing if a filter cannot name it, or only a very long one.
std::optional<Conjunction> FilterOf(const KeySpan& span);
// The span of the entities for which the filter may be true.
KeySpan SpanOf(const Conjunction& filter);
// The filter for those of its entities that are in the span. Nothing, as above. REQUIRES: the span
// is a part of SpanOf(filter)
std::optional<Conjunction> Within(const KeySpan& span, const Conjunction& filter);

}  // namespace aztables
