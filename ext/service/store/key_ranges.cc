// Converts a filter to rectangles of PartitionKey x RowKey: see key_ranges.h. A rectangle of
// several partitions becomes one range from its first key to its last.
#include "service/store/key_ranges.h"

#include <algorithm>

#include "service/store/stored_key.h"

namespace aztables {
namespace {

constexpr size_t kMostRectangles = 1000;

// From `low` (inclusive) to `high` (exclusive), as stored keys.
struct Interval {
  std::string low;
  std::string high = std::string(kAboveAllKeys);

  bool empty() const { return low >= high; }
  bool single() const { return IsKeySuccessor(high, low); }
};

struct Rectangle {
  Interval partition_key;
  Interval row_key;
};

using Rectangles = std::vector<Rectangle>;

Interval IntervalOf(const Comparison& comparison) {
  const std::string key = StoredKey(comparison.literal.text);
  switch (comparison.op) {
    case CompareOp::kEq:
      return {key, KeySuccessor(key)};
    case CompareOp::kLt:
      return {"", key};
    case CompareOp::kLe:
      return {"", KeySuccessor(key)};
    case CompareOp::kGt:
      return {KeySuccessor(key), std::string(kAboveAllKeys)};
    case CompareOp::kGe:
      return {key, std::string(kAboveAllKeys)};
    case CompareOp::kNe:
      break;
  }
  return {};
}

// Limits `interval` to its part inside of `other`.
void Limit(Interval& interval, const Interval& other) {
  if (interval.low < other.low) interval.low = other.low;
  if (interval.high > other.high) interval.high = other.high;
}

Rectangles RectanglesOf(const FilterNode& node);

Rectangles OfComparison(const Comparison& comparison) {
  Rectangle rectangle;
  if (comparison.literal.type == EdmType::kString) {
    if (comparison.property == "PartitionKey") rectangle.partition_key = IntervalOf(comparison);
    if (comparison.property == "RowKey") rectangle.row_key = IntervalOf(comparison);
  }
  Rectangles one;
  one.push_back(std::move(rectangle));
  return one;
}

Rectangles OfAnd(const FilterNode& node) {
  Rectangles all = {Rectangle()};
  for (const FilterNode& child : node.children) {
    const Rectangles own = RectanglesOf(child);
    if (all.size() * own.size() > kMostRectangles) continue;  // the superset is also correct
    // Each of them with each of `own`.
    const size_t count = all.size();
    all.resize(count * own.size());
    for (size_t i = count; i < all.size(); ++i) all[i] = all[i - count];
    for (size_t i = 0; i < all.size(); ++i) {
      const Rectangle& other = own[i / count];
      Limit(all[i].partition_key, other.partition_key);
      Limit(all[i].row_key, other.row_key);
    }
    std::erase_if(
        all, [](const Rectangle& one) { return one.partition_key.empty() || one.row_key.empty(); });
  }
  return all;
}

Rectangles OfOr(const FilterNode& node) {
  Rectangles all;
  for (const FilterNode& child : node.children) {
    Rectangles own = RectanglesOf(child);
    if (all.size() + own.size() > kMostRectangles) return {Rectangle()};
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

Rectangles RectanglesOf(const FilterNode& node) {
  switch (node.kind) {
    case FilterNode::Kind::kCompare:
      return OfComparison(node.comparison);
    case FilterNode::Kind::kConstant:
      return node.constant ? Rectangles{Rectangle()} : Rectangles();
    case FilterNode::Kind::kAnd:
      return OfAnd(node);
    case FilterNode::Kind::kOr:
      return OfOr(node);
    case FilterNode::Kind::kNot:
      break;
  }
  return {Rectangle()};
}

KeyRange Stretch(const Rectangle& rectangle) {
  KeyRange range;
  range.from = {rectangle.partition_key.low, rectangle.row_key.low};
  if (rectangle.partition_key.single()) {
    range.to = {rectangle.partition_key.low, rectangle.row_key.high};
  } else {
    range.to = {rectangle.partition_key.high, ""};
  }
  return range;
}

// Whether the node compares `key` in a way that its interval states exactly.
bool Bounds(const FilterNode& node, std::string_view key) {
  const Comparison& comparison = node.comparison;
  return node.kind == FilterNode::Kind::kCompare && comparison.property == key &&
         comparison.literal.type == EdmType::kString && comparison.op != CompareOp::kNe;
}

}  // namespace

KeyRange WholeTable() { return {{"", ""}, {std::string(kAboveAllKeys), ""}}; }

std::vector<KeyRange> RangesOf(const FilterNode* filter) {
  if (filter == nullptr) return {WholeTable()};
  std::vector<KeyRange> all;
  for (const Rectangle& rectangle : RectanglesOf(*filter)) {
    KeyRange range = Stretch(rectangle);
    if (range.from < range.to) all.push_back(std::move(range));
  }
  std::sort(all.begin(), all.end(),
            [](const KeyRange& a, const KeyRange& b) { return a.from < b.from; });
  std::vector<KeyRange> merged;
  for (KeyRange& range : all) {
    if (!merged.empty() && range.from <= merged.back().to) {
      merged.back().to = std::max(merged.back().to, range.to);
    } else {
      merged.push_back(std::move(range));
    }
  }
  return merged;
}

// A range is exact in its partitions. It is exact in its row keys if it has only one partition.
bool KeepUndecided(FilterNode& filter) {
  const bool is_and = filter.kind == FilterNode::Kind::kAnd;
  const bool one_partition =
      is_and &&
      std::any_of(filter.children.begin(), filter.children.end(), [](const FilterNode& node) {
        return Bounds(node, "PartitionKey") && node.comparison.op == CompareOp::kEq;
      });
  const auto decided = [one_partition](const FilterNode& node) {
    return Bounds(node, "PartitionKey") || (one_partition && Bounds(node, "RowKey"));
  };
  if (!is_and) return !decided(filter);
  std::erase_if(filter.children, decided);
  return !filter.children.empty();
}

std::vector<KeyRange> Intersect(const std::vector<KeyRange>& ranges, const KeyRange& limit) {
  std::vector<KeyRange> kept;
  for (const KeyRange& range : ranges) {
    KeyRange shared{std::max(range.from, limit.from), std::min(range.to, limit.to)};
    if (shared.from < shared.to) kept.push_back(std::move(shared));
  }
  return kept;
}

}  // namespace aztables
