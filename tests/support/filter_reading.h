// The result of a filter in the strictest reading of the service's documents. A comparison is true
// only for a property of the literal's EDM type. Texts are ordered by UTF-16 code unit. Instants
// are compared by 100 ns or, as emulators do, by the millisecond.
//
// Thread rule: free functions; any thread.
#pragma once

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include "model/datetime.h"
#include "odata/filter.h"
#include "support/utf16.h"

namespace aztables::support {

// The value of a property; null if the entity lacks it.
using PropertyOf = std::function<const Value*(std::string_view name)>;

template <typename T>
bool Holds(const T& left, CompareOp op, const T& right) {
  switch (op) {
    case CompareOp::kEq:
      return left == right;
    case CompareOp::kLt:
      return left < right;
    case CompareOp::kLe:
      return left <= right;
    case CompareOp::kGt:
      return left > right;
    case CompareOp::kGe:
      return left >= right;
    case CompareOp::kNe:
      break;
  }
  return left != right;
}

// `unit`: the resolution in ticks: 1, or 10'000 for milliseconds.
inline bool Holds(const Comparison& comparison, const Value& property, Ticks unit) {
  const Value& literal = comparison.literal;
  if (property.type != literal.type) return false;
  switch (literal.type) {
    case EdmType::kString:
      return Holds(Utf16(property.text), comparison.op, Utf16(literal.text));
    case EdmType::kInt32:
    case EdmType::kInt64:
    case EdmType::kBoolean:
      return Holds(property.integer, comparison.op, literal.integer);
    case EdmType::kDouble:
      return Holds(property.real, comparison.op, literal.real);
    case EdmType::kDateTime:
      return Holds(*ParseDateTime(property.text) / unit, comparison.op,
                   *ParseDateTime(literal.text) / unit);
    case EdmType::kGuid:
    case EdmType::kBinary:
      return Holds(property.text, comparison.op, literal.text);
    case EdmType::kNull:
      break;
  }
  return false;
}

inline bool Returns(const Comparison& comparison, const PropertyOf& property_of, Ticks unit = 1) {
  const Value* const property = property_of(comparison.property);
  return property != nullptr && Holds(comparison, *property, unit);
}

inline bool Returns(const Conjunction& all, const PropertyOf& property_of, Ticks unit = 1) {
  return std::all_of(all.begin(), all.end(), [&](const Comparison& comparison) {
    return Returns(comparison, property_of, unit);
  });
}

inline bool Returns(const Disjunction& disjunction, const PropertyOf& property_of, Ticks unit = 1) {
  return std::any_of(disjunction.begin(), disjunction.end(), [&](const Conjunction& alternative) {
    return Returns(alternative, property_of, unit);
  });
}

inline bool Returns(const Conjunction& filter, const std::vector<Disjunction>& clauses,
                    const PropertyOf& property_of, Ticks unit = 1) {
  return Returns(filter, property_of, unit) &&
         std::all_of(clauses.begin(), clauses.end(), [&](const Disjunction& disjunction) {
           return Returns(disjunction, property_of, unit);
         });
}

}  // namespace aztables::support
