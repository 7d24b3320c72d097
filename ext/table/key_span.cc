// KeySpan: see key_span.h.
#include "table/key_span.h"

#include <algorithm>
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

size_t BeginOfPartition(const EntityPage& page, size_t row) {
  const std::string_view partition = KeyAt(page, row, EntityPage::kPartitionKey);
  while (row > 0 && KeyAt(page, row - 1, EntityPage::kPartitionKey) == partition) --row;
  return row;
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

KeySpan SpanOf(const Conjunction& filter) {
  KeySpan span;
  for (const Comparison& one : filter) {
    if (one.property == "PartitionKey" && one.op == CompareOp::kEq)
      span.partition = one.literal.text;
  }
  const std::string_view key = span.partition ? "RowKey" : "PartitionKey";
  for (const Comparison& one : filter) {
    if (one.property != key) continue;
    const std::string& text = one.literal.text;
    if (one.op == CompareOp::kGe || one.op == CompareOp::kGt) {
      const int order = CompareKeys(text, span.low);
      if (order > 0) span.after_low = false;
      if (order >= 0) span.low = text;
      if (order >= 0 && one.op == CompareOp::kGt) span.after_low = true;
    } else if (IsUpper(one.op)) {
      // No key has a character below the blank.
      const std::string end = one.op == CompareOp::kLt ? text : text + ' ';
      if (!span.high || CompareKeys(end, *span.high) < 0) span.high = end;
    }
  }
  return span;
}

std::optional<Conjunction> Within(const KeySpan& span, const Conjunction& filter) {
  auto result = FilterOf(span);
  if (!result) return result;
  const bool one_partition = SpanOf(filter).partition.has_value();
  for (const Comparison& one : filter) {
    const bool range = one.op != CompareOp::kEq;
    const bool named =
        one.property == "PartitionKey" || (one_partition && one.property == "RowKey" && range);
    if (!named) result->push_back(one);
  }
  return result;
}

}  // namespace aztables
