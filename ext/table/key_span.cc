// KeySpan: see key_span.h.
#include "table/key_span.h"

#include <utility>

#include "base/encoding.h"
#include "model/key.h"

namespace aztables {
namespace {

// Percent-encoded characters of one key in the filter. A query's own filter may have 7,600, and
// servers refuse lines of 16 KB.
constexpr size_t kMostEncoded = 1'000;

// -1: the row is before the span, 0: in it, 1: behind it.
int SideOf(const KeySpan& span, const EntityPage& page, size_t row) {
  if (span.partition) {
    const std::string_view partition = page.At(row, EntityPage::kPartitionKey).view();
    const int order = CompareKeys(partition, *span.partition);
    if (order != 0) return order < 0 ? -1 : 1;
  }
  const std::string_view key = page.At(row, span.column()).view();
  const int order = CompareKeys(key, span.low);
  if (order < 0 || (order == 0 && span.after_low)) return -1;
  return span.high && CompareKeys(key, *span.high) >= 0 ? 1 : 0;
}

// The first row from `begin` on whose side is at least `side`.
size_t FirstFrom(const KeySpan& span, const EntityPage& page, size_t begin, int side) {
  size_t end = page.size();
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (SideOf(span, page, middle) < side) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

}  // namespace

RowsOfSpan RowsIn(const KeySpan& span, const EntityPage& page) {
  const size_t size = page.size();
  if (size == 0) return {};
  const size_t begin = SideOf(span, page, 0) < 0 ? FirstFrom(span, page, 1, 0) : 0;
  if (SideOf(span, page, size - 1) <= 0) return {begin, size, false};
  return {begin, FirstFrom(span, page, begin, 1), true};
}

std::optional<Conjunction> FilterOf(const KeySpan& span) {
  Conjunction filter;
  const std::string_view key = span.partition ? "RowKey" : "PartitionKey";
  const auto add = [&](std::string_view property, CompareOp op, const std::string& text) {
    filter.push_back({std::string(property), op, Value::String(text)});
    return PercentEncodedSize(text) <= kMostEncoded && !HasLoneSurrogate(text);
  };
  if (span.partition && !add("PartitionKey", CompareOp::kEq, *span.partition)) return std::nullopt;
  const bool bounded = !span.low.empty() || span.after_low;
  if (bounded && !add(key, span.after_low ? CompareOp::kGt : CompareOp::kGe, span.low)) {
    return std::nullopt;
  }
  if (span.high && !add(key, CompareOp::kLt, *span.high)) return std::nullopt;
  return filter;
}

}  // namespace aztables
