// EntityQuery, and its $filter: literals and comparisons as OData text. This code builds only
// sound filters; plan decides whether a comparison may be sent at all. Source: Microsoft,
// "Querying tables and entities". The project writes the property on the left, operators in lower
// case, and one blank around them.
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/edm.h"

namespace aztables {

// kNe occurs only in parsed filters (filter_tree.h): the planner never makes it.
enum class CompareOp : uint8_t { kEq, kLt, kLe, kGt, kGe, kNe };
std::string_view OpName(CompareOp op);  // "eq", "lt", ...
// The operator of that name, in lower case; nothing for another word.
std::optional<CompareOp> OpFromName(std::string_view name);

bool IsUpper(CompareOp op);  // kLt, kLe
// Whether the comparison is true of a value with this order relative to the literal. NaN has none.
bool Holds(CompareOp op, std::partial_ordering order);

struct Comparison {
  std::string property;
  CompareOp op = CompareOp::kEq;
  Value literal;
};

// Comparisons that must all hold. Empty: no filter.
using Conjunction = std::vector<Comparison>;
// A conjunction of one comparison.
Conjunction One(std::string_view property, CompareOp op, Value literal);
// Whether the property must be equal to one text.
bool IsFixed(const Conjunction& conjunction, std::string_view property);
// Conjunctions of which at least one must hold.
using Disjunction = std::vector<Conjunction>;
// Whether one of them compares a property other than the keys; and a function that drops those.
bool ComparesProperties(const std::vector<Disjunction>& clauses);
void DropProperties(std::vector<Disjunction>& clauses);

// 'O''Brien', 30, 30L, 100.0, true, datetime'...', guid'...', X'0A1F'. REQUIRES: not null, a finite
// double.
std::string Literal(const Value& value);

// "PartitionKey eq 'a' and RowKey ge 'b'", not percent-encoded; empty for no comparison.
std::string FilterText(const Conjunction& conjunction);
// The same, and of each clause at least one conjunction: "PartitionKey eq 'a' and (N eq 5 or N eq
// 5L)". REQUIRES: no empty conjunction in `clauses`
std::string FilterText(const Conjunction& conjunction, const std::vector<Disjunction>& clauses);

// The entities to read from one table. plan makes it, and table sends it.
struct EntityQuery {
  std::string table;
  std::string_view kind;  // in Azure's words, for the log; a literal
  // A point read. If its address would be too long, the entity is read by filter.
  std::optional<std::pair<std::string, std::string>> point;
  Conjunction filter;                // without `point`
  std::vector<Disjunction> clauses;  // each must be true; without `point`
  std::string raw_filter;            // OData that a person wrote; instead of `filter`
  std::vector<std::string> select;   // remote names; empty: every property

  // The conditions on one property each: `filter`, or those of the point.
  Conjunction Conditions() const {
    if (!point) return filter;
    return {{"PartitionKey", CompareOp::kEq, Value::String(point->first)},
            {"RowKey", CompareOp::kEq, Value::String(point->second)}};
  }
};

}  // namespace aztables
