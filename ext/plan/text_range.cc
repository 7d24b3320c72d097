// Texts in filters: see text_range.h.
#include "plan/text_range.h"

#include <algorithm>

#include "base/encoding.h"
#include "model/key.h"

namespace aztables {
namespace {

// From `low` to the end of the texts with the prefix `high`.
Conjunction Between(std::string_view property, std::string_view low, std::string_view high,
                    size_t most_encoded) {
  Conjunction range = TextRange(property, CompareOp::kGe, low, false, most_encoded);
  if (const auto end = PrefixEnd(LowerBound(high, most_encoded).text)) {
    range.push_back({std::string(property), CompareOp::kLt, Value::String(*end)});
  }
  return range;
}

}  // namespace

std::string ToUpperAscii(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

size_t EncodedSize(std::string_view text) {
  // A filter doubles a quote.
  const auto quotes = static_cast<size_t>(std::count(text.begin(), text.end(), '\''));
  return PercentEncodedSize(text) + 3 * quotes;
}

size_t EncodedSize(const Conjunction& conjunction) {
  size_t size = 0;
  for (const Comparison& comparison : conjunction) {
    size += PercentEncodedSize(Literal(comparison.literal));
  }
  return size;
}

bool CanBeSent(std::string_view text, size_t most_encoded) {
  for (size_t pos = 0; pos < text.size();) {
    const char32_t c = NextCodePoint(text, pos);
    if (IsControl(c)) return false;
  }
  return IsValidUtf8(text) && !MayBeSeveral(text) && EncodedSize(text) <= most_encoded;
}

Conjunction TextRange(std::string_view property, CompareOp op, std::string_view text,
                      bool may_be_numeric, size_t most_encoded) {
  const auto range = [&](CompareOp sent, std::string_view bound) {
    return One(property, sent, Value::String(bound));
  };
  const bool upper = IsUpper(op);
  // With numeric affinity, digits alone are a number.
  const bool digits =
      !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  if (upper && may_be_numeric && text < kAfterNumbers && !digits) {
    return range(CompareOp::kLt, kAfterNumbers);
  }
  if (op == CompareOp::kGe && text.empty()) return {};
  const KeyBound bound = LowerBound(text, most_encoded);
  if (bound.exact) return range(op, bound.text);
  if (!upper) return bound.text.empty() ? Conjunction() : range(CompareOp::kGe, bound.text);
  const auto end = PrefixEnd(bound.text);
  return end ? range(CompareOp::kLt, *end) : Conjunction();
}

std::optional<std::string> CommonBeginning(const SqlValue& low, const SqlValue& end) {
  if (low.type != SqlValue::Type::kText || end.type != SqlValue::Type::kText || low.text.empty())
    return std::nullopt;
  std::string beginning = ToLowerAscii(low.text);
  if (!IsValidUtf8(beginning)) return std::nullopt;
  std::string successor = beginning;
  ++successor.back();
  if (successor != end.text) return std::nullopt;
  // After '@' comes 'A', which NOCASE treats as 'a': texts with '[' or '_' are in the range too.
  if (beginning.back() == '@') beginning.pop_back();
  return beginning.empty() ? std::nullopt : std::optional(std::move(beginning));
}

Conjunction LikeRange(std::string_view property, std::string_view beginning, size_t most_encoded) {
  return Between(property, ToUpperAscii(beginning), ToLowerAscii(beginning), most_encoded);
}

Disjunction LikeRanges(std::string_view property, std::string_view beginning, size_t most_encoded) {
  const std::string upper = ToUpperAscii(beginning);
  const std::string lower = ToLowerAscii(beginning);
  const auto letter = std::mismatch(upper.begin(), upper.end(), lower.begin()).first;
  if (letter == upper.end()) return {Between(property, upper, lower, most_encoded)};
  const auto at = static_cast<size_t>(letter - upper.begin());
  std::string capital_end = lower;
  std::string small_start = upper;
  std::swap(capital_end[at], small_start[at]);
  Disjunction ranges = {Between(property, upper, capital_end, most_encoded),
                        Between(property, small_start, lower, most_encoded)};
  // If both are cut before the letter, they are the same, and may not be a range at all.
  if (ranges[0].empty() || ranges[1].empty()) return {Conjunction()};
  return ranges;
}

}  // namespace aztables
