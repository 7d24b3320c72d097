// OrderConflictRange: see order_conflict_range.h.
#include "read/order_conflict_range.h"

#include "base/encoding.h"
#include "model/key.h"

namespace aztables {
namespace {

constexpr std::string_view kBeforeSurrogates = "\xED\x9F\xBF";   // U+D7FF
constexpr std::string_view kLastSurrogate = "\xF4\x8F\xBF\xBF";  // U+10FFFF
// A filter cuts a longer text, and then selects more entities.
constexpr size_t kMostEncoded = 2'000;

// First bytes of code points in UTF-8; no other byte has such a value.
bool BeginsHigh(char c) { return static_cast<unsigned char>(c) >= 0xEE; }
bool BeginsSurrogate(char c) { return static_cast<unsigned char>(c) >= 0xF0; }
bool BeginsLone(std::string_view text, size_t at) {
  return FindLoneSurrogate(text.substr(at, 3)) == 0;
}

void AddGroups(std::string_view text, bool of_rows, std::string_view partition_key,
               std::vector<OrderConflictRange>& groups) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (!BeginsHigh(text[i]) && !BeginsLone(text, i)) continue;
    OrderConflictRange group;
    group.of_rows = of_rows;
    if (of_rows) group.partition_key = partition_key;
    group.beginning = text.substr(0, i);
    groups.push_back(std::move(group));
  }
}

// Whether the text, in UTF-8, has a UTF-16 code unit of U+D800 or above.
bool HasLateUnit(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte > 0xED) return true;
    if (byte == 0xED && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) >= 0xA0) {
      return true;
    }
  }
  return false;
}

}  // namespace

OrderConflictRange::Place OrderConflictRange::PlaceOf(EntityKeyView key) const {
  if (of_rows && key.partition_key != partition_key) return Place::kOutside;
  const std::string_view text = of_rows ? key.row_key : key.partition_key;
  if (text.size() <= beginning.size() || !text.starts_with(beginning)) return Place::kOutside;
  if (BeginsLone(text, beginning.size())) {
    const bool first = static_cast<unsigned char>(text[beginning.size() + 1]) < 0xB0;  // U+DC00
    return first ? Place::kFirstHalf : Place::kSecondHalf;
  }
  const char next = text[beginning.size()];
  if (!BeginsHigh(next)) return Place::kOutside;
  return BeginsSurrogate(next) ? Place::kSurrogate : Place::kHigh;
}

Conjunction OrderConflictRange::Filter() const {
  Conjunction filter;
  const std::string name(of_rows ? "RowKey" : "PartitionKey");
  if (of_rows) filter.push_back({"PartitionKey", CompareOp::kEq, Value::String(partition_key)});
  const KeyBound low = LowerBoundOfService(beginning, kMostEncoded);
  const std::string first(low.exact ? (whole ? kBeforeSurrogates : kLastSurrogate) : "");
  filter.push_back({name, CompareOp::kGe, Value::String(low.text + first)});
  if (const auto end = ServicePrefixEnd(low.text)) {
    filter.push_back({name, CompareOp::kLt, Value::String(*end)});
  }
  return filter;
}

std::vector<OrderConflictRange> GroupsOf(EntityKeyView key) {
  std::vector<OrderConflictRange> groups;
  AddGroups(key.partition_key, false, {}, groups);
  AddGroups(key.row_key, true, key.partition_key, groups);
  return groups;
}

size_t FirstConflict(const EntityPage& page, size_t begin, size_t end) {
  for (size_t row = begin; row < end; ++row) {
    const EntityKeyView key = KeyOf(page, row);
    if (HasLateUnit(key.partition_key) || HasLateUnit(key.row_key)) return row;
  }
  return end;
}

bool IsBefore(EntityKeyView key, EntityKeyView other) {
  const int order = CompareKeys(key.partition_key, other.partition_key);
  return order != 0 ? order < 0 : CompareKeys(key.row_key, other.row_key) < 0;
}

}  // namespace aztables
